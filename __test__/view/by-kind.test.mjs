// @ts-check
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ContextView } from 'palimpsest';
import { START } from '../support/histories.mjs';
import { play, steps } from '../support/view-sessions.mjs';

/** As DeepSeek's, but that any prefix is read. */
const CHEAP = { write: 1, read: 0.02, ttlMs: 3_600_000, minTokens: 1024, blockTokens: 1 };

let calls = 0;

/** @param {string} name @param {object} input @param {string} [says] */
function exchange(name, input, says = `${calls}: `) {
  const id = `call_${calls++}`;
  const call = { id, type: 'function', function: { name, arguments: JSON.stringify(input) } };
  return [
    { role: 'assistant', content: '', tool_calls: [call] },
    { role: 'tool', tool_call_id: id, content: says + 'a line of output '.repeat(400) },
  ];
}

/** @param {number} answers */
const talk = (answers) =>
  Array.from({ length: answers }, (_, at) => [
    { role: 'user', content: `Go on, ${at}.` },
    { role: 'assistant', content: 'Done.' },
  ]).flat();

/** After how many answers the result of a call goes, sent anew with each. @param {any[]} called @param {any} options */
function goesAfter(called, options) {
  const view = new ContextView({ price: 'none', ...options });
  for (let answers = 0; answers <= 200; answers++) {
    const messages = [{ role: 'user', content: 'Begin.' }, ...called, ...talk(answers), { role: 'user', content: '?' }];
    const timed = messages.map((message) => ({ ...message, timestamp: START + answers }));
    timed[2] = { ...messages[2], timestamp: START };
    const sent = view.project(timed).messages;
    if (/** @type {any} */ (sent[2]).content !== called[1].content) return answers;
  }
  return Infinity;
}

const BUILD = exchange('bash', { command: 'npm test' });
const CAT = exchange('bash', { command: 'cat src/a.ts' });
const GREP = exchange('Grep', { pattern: 'a' });
const EDIT = exchange('Edit', { file_path: 'src/a.ts' });
const READ = exchange('mcp__files__read_file', { path: 'src/a.ts' });
const OTHER = exchange('ask_database', { sql: 'select 1' });

test('R14.3 without a cache a result is removed after the requests of its kind', () => {
  const after = [BUILD, EDIT, GREP, OTHER, CAT, READ].map((called) => goesAfter(called, {}));
  assert.deepEqual(after, [25, 25, 50, 50, 120, 120]);
});

test('R14.3 with a warm cache a result that is not outdated stays, and a pause removes no other', () => {
  const begin = { role: 'user', content: 'Begin. '.repeat(9000) };
  for (const [answers, changed] of [
    [23, 0],
    [24, 1],
  ]) {
    const view = new ContextView();
    const messages = [begin, ...BUILD, ...talk(Number(answers))];
    view.project(messages, { now: START });
    const { report } = view.project([...messages, ...talk(1)], { now: START + 3_600_000 });
    assert.equal(report.changed, changed, `${answers} answers`);
  }
});

test('R14.3 what a host sets of a preset’s age holds: then minutes and the newest count, for that kind alone', () => {
  assert.equal(goesAfter(BUILD, { terminal: { keepRecent: 0, maxAgeMs: 0 } }), 1);
  assert.equal(goesAfter(BUILD, { terminal: { keepRecent: 5 } }), Infinity);
  assert.equal(goesAfter(EDIT, { terminal: { keepRecent: 5 } }), 25);
  assert.equal(goesAfter(BUILD, { terminal: { placeholder: '[gone]' } }), 25);
  assert.equal(goesAfter(OTHER, { terminal: { terminalTools: ['ask_database'] } }), 25);
});

test('R14.3 by age nothing is said of edits and other tools, and where nothing is outdated nothing goes', () => {
  for (const called of [EDIT, OTHER]) assert.equal(goesAfter(called, { outdatedBy: 'age' }), Infinity);
  for (const called of [BUILD, OTHER]) assert.equal(goesAfter(called, { outdatedBy: 'nothing' }), Infinity);
  assert.equal(goesAfter(OTHER, { otherTools: false }), Infinity);
  assert.equal(goesAfter(EDIT, { edits: false }), Infinity);
  assert.throws(() => new ContextView({ outdatedBy: /** @type {any} */ ('minutes') }), { code: 'ERR_OUT_OF_RANGE' });
});

test('R14.5 what a later result makes worthless goes by default, but for edited reads, under any prices', () => {
  const again = [
    ...exchange('bash', { command: 'npm test' }),
    ...exchange('bash', { command: 'npm test' }),
    ...talk(1),
  ];
  const edited = [...exchange('Read', { file_path: 'a.ts' }), ...exchange('Edit', { file_path: 'a.ts' }), ...talk(1)];
  const changed = (/** @type {any[]} */ messages, /** @type {any} */ options) => {
    const view = new ContextView(options);
    view.project([{ role: 'user', content: 'Begin. '.repeat(9000) }, ...messages], { now: START });
    const later = [{ role: 'user', content: 'Begin. '.repeat(9000) }, ...messages, ...talk(1)];
    return view.project(later, { now: START + 30 * 3_600_000 }).report.changed;
  };
  assert.equal(changed(again, {}), 1);
  assert.equal(changed(edited, {}), 0);
  assert.equal(changed(again, { price: CHEAP }), 1);
  assert.equal(changed(again, { price: CHEAP, repeatedCommands: true }), 1);
  assert.equal(changed(again, { repeatedCommands: false }), 0);
  assert.equal(changed(again, { outdatedBy: 'age' }), 0);
});

test('R10.12 by kind a new object for each request sends what one object sends', () => {
  fc.assert(
    fc.property(steps(70), fc.constantFrom('anthropic', 'openai', 'none'), (plan, price) => {
      const options = /** @type {any} */ ({ price });
      const one = new ContextView(options);
      play(plan, (stored, now) => {
        const sent = one.project(stored, { now }).messages;
        assert.deepEqual(new ContextView(options).project(stored, { now }).messages, sent);
      });
    }),
    { endOnFailure: true, numRuns: 12 },
  );
});
