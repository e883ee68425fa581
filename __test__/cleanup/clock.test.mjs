// @ts-check
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as product from 'palimpsest';

/** @typedef {any} Odd */
const START = 1_780_000_000_000;
const MINUTE = 60_000;
const TEXT = 'a line of the file\n'.repeat(80);

let ids = 0;
/** @param {string} name @param {object} input @param {number | undefined} timestamp @returns {Odd[]} */
function exchange(name, input, timestamp) {
  const id = `c${ids++}`;
  const call = { id, function: { name, arguments: JSON.stringify(input) } };
  return [
    { role: 'assistant', content: '', tool_calls: [call] },
    { role: 'tool', tool_call_id: id, content: TEXT, ...(timestamp !== undefined && { timestamp }) },
  ];
}
const read = (/** @type {number | undefined} */ at) => exchange('filesystem-read', { filePath: 'a.ts' }, at);
const run = (/** @type {number | undefined} */ at) => exchange('bash', { command: 'ls' }, at);
const answer = { role: 'assistant', content: 'Done.' };
/** One turn of so many calls at once. @param {(at: number) => Odd[]} call @param {number} count @param {number} at */
function turn(call, count, at) {
  const all = Array.from({ length: count }, () => call(at));
  const calls = all.map(([{ tool_calls: declared }]) => declared[0]);
  return [{ role: 'assistant', content: '', tool_calls: calls }, ...all.map(([, result]) => result)];
}
/** What `messages` become, by function. @param {Odd[]} messages @param {number} now @returns {[string, Odd[]][]} */
const everyWay = (messages, now) => [
  ['prepareMessages', product.prepareMessages(messages, { now }).messages],
  ['ContextView', new product.ContextView({ price: 'none', outdatedBy: 'age' }).project(messages, { now }).messages],
  ['ContextViews', new product.ContextViews({ price: 'none', outdatedBy: 'age' }).project(messages, { now }).messages],
];
const gone = (/** @type {Odd[]} */ sent, /** @type {Odd[]} */ messages) =>
  sent.flatMap((message, at) => (message === messages[at] ? [] : [at]));

test('R1.0 after a clock was set back no read is replaced that the model has just asked for', () => {
  const ahead = Array.from({ length: 6 }, (_, at) => read(START + 10_000 + at)).flat();
  for (let count = 1; count <= 6; count++) {
    const messages = [...ahead, ...Array.from({ length: count }, (_, at) => read(START + at)).flat()];
    for (const [name, sent] of everyWay(messages, START + count)) {
      const oldest = Array.from({ length: count + 1 }, (_, at) => at * 2 + 1);
      assert.deepEqual(gone(sent, messages), oldest, `${name}: ${count} reads since`);
    }
  }
  const api = [...ahead, ...read(START)];
  product.simplifyHistoricalFileReads(api);
  assert.equal(api.at(-1).content === TEXT, false, 'the drop-in function goes by time stamps alone, as the seed does');
});

test('R1.0 results of the turn in progress stay, whatever their number and age, until the model has answered', () => {
  for (const call of [read, run]) {
    const messages = turn(call, 12, START);
    for (const [name, sent] of everyWay(messages, START + 60 * MINUTE)) assert.deepEqual(sent, messages, name);
    const answered = [...messages, { ...answer, timestamp: START + 60 * MINUTE }];
    for (const [name, sent] of everyWay(answered, START + 60 * MINUTE)) {
      assert.ok(gone(sent, answered).length >= 6, name);
    }
  }
});

test('R1.0 where messages have times, views go by these alone, prepareMessages by `now`', () => {
  const messages = [...Array.from({ length: 7 }, () => run(START)).flat(), answer];
  const answeredLate = [...messages.slice(0, -1), { ...answer, timestamp: START + 60 * MINUTE }];
  for (const now of [START, START + 60 * MINUTE]) {
    const [[, prepared], ...views] = /** @type {any} */ (everyWay(messages, now));
    assert.deepEqual(gone(prepared, messages), now === START ? [] : [1, 3]);
    for (const [name, sent] of views) assert.deepEqual(gone(sent, messages), [], name);
    for (const [name, sent] of everyWay(answeredLate, now).slice(1)) {
      assert.deepEqual(gone(sent, answeredLate), [1, 3], name);
    }
  }
});

test('R1.0 the rule for repeated commands leaves the results of the turn in progress, too', () => {
  const messages = turn(run, 2, START);
  const view = new product.ContextView({ price: 'none', outdatedBy: 'age', repeatedCommands: true });
  assert.deepEqual(view.project(messages, { now: START }).messages, messages);
  const answered = [...messages, answer];
  assert.deepEqual(gone(view.project(answered, { now: START }).messages, answered), [1]);
});

test('R1.0 a clock that was ahead makes a command no older than it was', () => {
  const messages = [
    run(START),
    run(START + 60 * MINUTE),
    ...Array.from({ length: 5 }, () => run(START)),
    [answer],
  ].flat();
  const { messages: sent } = product.prepareMessages(messages, { now: START + MINUTE });
  assert.deepEqual(gone(sent, messages), [1], 'by the newest time that was seen an hour has passed since the first');
});

test('R1.0 where results have no time, a clock that is set back between two requests of a view makes none older', () => {
  const view = new product.ContextView({ price: 'none', outdatedBy: 'age' });
  const first = Array.from({ length: 6 }, () => run(undefined)).flat();
  view.project(first, { now: START + 60 * MINUTE });
  const messages = [...first, ...Array.from({ length: 6 }, () => run(undefined)).flat(), answer];
  view.project(messages, { now: START });
  const { messages: sent } = view.project(messages, { now: START + 14 * MINUTE });
  assert.deepEqual(sent, messages);
});

test('ISSUE 20.11 prepareMessages knows the tools of the agents in use today, as a view does', () => {
  const messages = Array.from({ length: 30 }, (_, at) =>
    exchange('Read', { file_path: 'src/a.ts' }, START + at),
  ).flat();
  messages.push(answer);
  const { report } = product.prepareMessages(messages, { now: START });
  assert.equal(report.byRule.fileReads?.changed, 25);
  const view = new product.ContextView({ price: 'none', outdatedBy: 'age' }).project(messages, { now: START });
  assert.equal(view.report.changed, report.changed);
  const own = product.prepareMessages(messages, { now: START, fileReads: { readTools: ['other'] } });
  assert.equal(own.report.changed, 0, 'tools of one’s own are the only ones');
  assert.equal(product.simplifyHistoricalFileReads(messages).changed, 0, 'the seed’s tool alone');
});

test('ISSUE 20.11 a report names the tools that no rule is about, as often as they are called', () => {
  const messages = [...run(START), ...exchange('deploy', {}, START), ...exchange('deploy', {}, START), answer];
  assert.deepEqual(product.prepareMessages(messages).report.uncoveredTools, { deploy: 2 });
  assert.deepEqual(product.prepareMessages(messages.slice(0, 4)).report.uncoveredTools, { deploy: 1 });
  assert.deepEqual(new product.ContextView({ outdatedBy: 'age' }).project(messages).report.uncoveredTools, {
    deploy: 2,
  });
  assert.deepEqual(product.prepareMessages(messages).report.toJSON().uncoveredTools, { deploy: 2 });
});
