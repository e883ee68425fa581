// @ts-check
/** Rules by age if clocks are wrong, differ or are set back. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as product from 'palimpsest';
import { exchange, MINUTE, START } from '../support/histories.mjs';

/** @typedef {any} Message */
const TEXT = 'a line of the file\n'.repeat(80);

let ids = 0;
/** @param {string} name @param {object} input @param {number | undefined} timestamp @returns {Message[]} */
const called = (name, input, timestamp) =>
  exchange(`c${ids++}`, name, input, TEXT, timestamp === undefined ? {} : { timestamp });
const read = (/** @type {number | undefined} */ at) => called('filesystem-read', { filePath: 'a.ts' }, at);
const run = (/** @type {number | undefined} */ at) => called('bash', { command: 'ls' }, at);
const answer = { role: 'assistant', content: 'Done.' };
/** One message with `count` parallel calls, and their results. @param {(at: number) => Message[]} call @param {number} count @param {number} at */
function parallel(call, count, at) {
  const all = Array.from({ length: count }, () => call(at));
  const calls = all.map(([{ tool_calls: declared }]) => declared[0]);
  return [{ role: 'assistant', content: '', tool_calls: calls }, ...all.map(([, result]) => result)];
}
/** What is sent, by function. @param {Message[]} messages @param {number} now @returns {[string, Message[]][]} */
const sentByEach = (messages, now) => [
  ['prepareMessages', product.prepareMessages(messages, { now }).messages],
  ['ContextView', new product.ContextView({ price: 'none', outdatedBy: 'age' }).project(messages, { now }).messages],
  ['ContextViews', new product.ContextViews({ price: 'none', outdatedBy: 'age' }).project(messages, { now }).messages],
];
const replacedIndices = (/** @type {Message[]} */ sent, /** @type {Message[]} */ messages) =>
  sent.flatMap((message, at) => (message === messages[at] ? [] : [at]));

test('R1.0 after a clock was set back, the first reads of the array are replaced, not the last ones', () => {
  const withLaterTimes = Array.from({ length: 6 }, (_, at) => read(START + 10_000 + at)).flat();
  for (let count = 1; count <= 6; count++) {
    const messages = [...withLaterTimes, ...Array.from({ length: count }, (_, at) => read(START + at)).flat()];
    for (const [name, sent] of sentByEach(messages, START + count)) {
      const oldest = Array.from({ length: count + 1 }, (_, at) => at * 2 + 1);
      assert.deepEqual(replacedIndices(sent, messages), oldest, `${name}: ${count} reads since`);
    }
  }
  const api = [...withLaterTimes, ...read(START)];
  product.simplifyHistoricalFileReads(api);
  assert.equal(api.at(-1).content === TEXT, false, 'the drop-in function decides by time stamps alone');
});

test('R1.0 results stay until an assistant message follows, whatever their number and age', () => {
  for (const call of [read, run]) {
    const messages = parallel(call, 12, START);
    for (const [name, sent] of sentByEach(messages, START + 60 * MINUTE)) assert.deepEqual(sent, messages, name);
    const answered = [...messages, { ...answer, timestamp: START + 60 * MINUTE }];
    for (const [name, sent] of sentByEach(answered, START + 60 * MINUTE)) {
      assert.ok(replacedIndices(sent, answered).length >= 6, name);
    }
  }
});

test('R1.0 views compute ages from the times of messages alone, prepareMessages from `now`', () => {
  const messages = [...Array.from({ length: 7 }, () => run(START)).flat(), answer];
  const answeredLate = [...messages.slice(0, -1), { ...answer, timestamp: START + 60 * MINUTE }];
  for (const now of [START, START + 60 * MINUTE]) {
    const [[, prepared], ...views] = /** @type {any} */ (sentByEach(messages, now));
    assert.deepEqual(replacedIndices(prepared, messages), now === START ? [] : [1, 3]);
    for (const [name, sent] of views) assert.deepEqual(replacedIndices(sent, messages), [], name);
    for (const [name, sent] of sentByEach(answeredLate, now).slice(1)) {
      assert.deepEqual(replacedIndices(sent, answeredLate), [1, 3], name);
    }
  }
});

test('R1.0 `repeatedCommands` keeps results until an assistant message follows', () => {
  const messages = parallel(run, 2, START);
  const view = new product.ContextView({ price: 'none', outdatedBy: 'age', repeatedCommands: true });
  assert.deepEqual(view.project(messages, { now: START }).messages, messages);
  const answered = [...messages, answer];
  assert.deepEqual(replacedIndices(view.project(answered, { now: START }).messages, answered), [1]);
});

test('R1.0 a time after `now` makes earlier results older, and later results no older than itself', () => {
  const messages = [
    run(START),
    run(START + 60 * MINUTE),
    ...Array.from({ length: 5 }, () => run(START)),
    [answer],
  ].flat();
  const { messages: sent } = product.prepareMessages(messages, { now: START + MINUTE });
  assert.deepEqual(replacedIndices(sent, messages), [1], 'the newest time is an hour after the first');
});

test('R1.0 in a view, a clock that is set back between two requests makes results without a time no older', () => {
  const view = new product.ContextView({ price: 'none', outdatedBy: 'age' });
  const first = Array.from({ length: 6 }, () => run(undefined)).flat();
  view.project(first, { now: START + 60 * MINUTE });
  const messages = [...first, ...Array.from({ length: 6 }, () => run(undefined)).flat(), answer];
  view.project(messages, { now: START });
  const { messages: sent } = view.project(messages, { now: START + 14 * MINUTE });
  assert.deepEqual(sent, messages);
});

test('R2.1 prepareMessages and views know the reading tools of current agents, drop-in functions only `filesystem-read`', () => {
  const messages = Array.from({ length: 30 }, (_, at) => called('Read', { file_path: 'src/a.ts' }, START + at)).flat();
  messages.push(answer);
  const { report } = product.prepareMessages(messages, { now: START });
  assert.equal(report.byRule.fileReads?.changed, 25);
  const view = new product.ContextView({ price: 'none', outdatedBy: 'age' }).project(messages, { now: START });
  assert.equal(view.report.changed, report.changed);
  const withOwnTools = product.prepareMessages(messages, { now: START, fileReads: { readTools: ['other'] } });
  assert.equal(withOwnTools.report.changed, 0, '`readTools` replaces the names');
  assert.equal(product.simplifyHistoricalFileReads(messages).changed, 0, 'only `filesystem-read`');
});

test('R3b.3 `uncoveredTools` counts the calls of tools without a rule', () => {
  const messages = [...run(START), ...called('deploy', {}, START), ...called('deploy', {}, START), answer];
  assert.deepEqual(product.prepareMessages(messages).report.uncoveredTools, { deploy: 2 });
  assert.deepEqual(product.prepareMessages(messages.slice(0, 4)).report.uncoveredTools, { deploy: 1 });
  assert.deepEqual(new product.ContextView({ outdatedBy: 'age' }).project(messages).report.uncoveredTools, {
    deploy: 2,
  });
  assert.deepEqual(product.prepareMessages(messages).report.toJSON().uncoveredTools, { deploy: 2 });
});
