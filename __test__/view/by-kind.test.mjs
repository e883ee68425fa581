// @ts-check
/** After how many requests a view with the default `outdatedBy: 'kind'` removes each kind of result. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ContextView } from 'palimpsest';
import { exchange, START } from '../support/histories.mjs';
import { play, steps } from '../support/view-sessions.mjs';

/** DeepSeek's prices without blocks: a prefix of any length is read from the cache. */
const CHEAP = { write: 1, read: 0.02, ttlMs: 3_600_000, minTokens: 1024, blockTokens: 1 };

let calls = 0;

/** @param {string} name @param {object} input */
const called = (name, input) =>
  exchange(`call_${calls}`, name, input, `${calls++}: ${'a line of output '.repeat(400)}`);

/** @param {number} count */
const shortTurns = (count) =>
  Array.from({ length: count }, (_, at) => [
    { role: 'user', content: `Go on, ${at}.` },
    { role: 'assistant', content: 'Done.' },
  ]).flat();

/** Requests after which the result is removed. @param {any[]} messages a call and its result @param {any} [options] */
function requestsUntilRemoved([call, result], options) {
  const view = new ContextView({ price: 'none', ...options });
  for (let turns = 0; turns <= 200; turns++) {
    const messages = [
      { role: 'user', content: 'Begin.' },
      call,
      result,
      ...shortTurns(turns),
      { role: 'user', content: '?' },
    ];
    const timed = messages.map((message) => ({ ...message, timestamp: START + turns }));
    timed[2] = { ...result, timestamp: START };
    const sent = view.project(timed).messages;
    if (/** @type {any} */ (sent[2]).content !== result.content) return turns;
  }
  return Infinity;
}

const BUILD = called('bash', { command: 'npm test' });
const CAT = called('bash', { command: 'cat src/a.ts' });
const GREP = called('Grep', { pattern: 'a' });
const EDIT = called('Edit', { file_path: 'src/a.ts' });
const READ = called('mcp__files__read_file', { path: 'src/a.ts' });
const OTHER = called('ask_database', { sql: 'select 1' });

test('R14.3 without a cache a result is removed after the requests of its kind', () => {
  const requests = [BUILD, EDIT, GREP, OTHER, CAT, READ].map((messages) => requestsUntilRemoved(messages));
  assert.deepEqual(requests, [25, 25, 50, 50, 120, 120]);
});

test('R14.3 with a cache, a pause removes a result that is outdated after 25 requests, and none after 24', () => {
  const begin = { role: 'user', content: 'Begin. '.repeat(9000) };
  for (const [turns, changed] of [
    [24, 0],
    [25, 1],
  ]) {
    const view = new ContextView();
    const messages = [begin, ...BUILD, ...shortTurns(Number(turns) - 1)];
    view.project(messages, { now: START });
    const { report } = view.project([...messages, ...shortTurns(1)], { now: START + 3_600_000 });
    assert.equal(report.changed, changed, `${turns} turns`);
  }
});

test('R14.3 a preset with `keepRecent` or `maxAgeMs` decides by age, and other kinds still by requests', () => {
  assert.equal(requestsUntilRemoved(BUILD, { terminal: { keepRecent: 0, maxAgeMs: 0 } }), 1);
  assert.equal(requestsUntilRemoved(BUILD, { terminal: { keepRecent: 5 } }), Infinity);
  assert.equal(requestsUntilRemoved(EDIT, { terminal: { keepRecent: 5 } }), 25);
  assert.equal(requestsUntilRemoved(BUILD, { terminal: { placeholder: '[gone]' } }), 25);
  assert.equal(requestsUntilRemoved(OTHER, { terminal: { terminalTools: ['ask_database'] } }), 25);
});

test("R14.3 `outdatedBy: 'age'` removes no edits and other tools, `'nothing'` no result, and a preset can be `false`", () => {
  for (const messages of [EDIT, OTHER]) assert.equal(requestsUntilRemoved(messages, { outdatedBy: 'age' }), Infinity);
  for (const messages of [BUILD, OTHER]) {
    assert.equal(requestsUntilRemoved(messages, { outdatedBy: 'nothing' }), Infinity);
  }
  assert.equal(requestsUntilRemoved(OTHER, { otherTools: false }), Infinity);
  assert.equal(requestsUntilRemoved(EDIT, { edits: false }), Infinity);
  assert.throws(() => new ContextView({ outdatedBy: /** @type {any} */ ('minutes') }), { code: 'ERR_OUT_OF_RANGE' });
});

test("R10.9 by kind, a repeated command's earlier output is removed under any price, and a read before an edit is not", () => {
  const repeated = [
    ...called('bash', { command: 'npm test' }),
    ...called('bash', { command: 'npm test' }),
    ...shortTurns(1),
  ];
  const edited = [...called('Read', { file_path: 'a.ts' }), ...called('Edit', { file_path: 'a.ts' }), ...shortTurns(1)];
  const changed = (/** @type {any[]} */ messages, /** @type {any} */ options) => {
    const view = new ContextView(options);
    view.project([{ role: 'user', content: 'Begin. '.repeat(9000) }, ...messages], { now: START });
    const later = [{ role: 'user', content: 'Begin. '.repeat(9000) }, ...messages, ...shortTurns(1)];
    return view.project(later, { now: START + 30 * 3_600_000 }).report.changed;
  };
  assert.equal(changed(repeated, {}), 1);
  assert.equal(changed(edited, {}), 0);
  assert.equal(changed(repeated, { price: CHEAP }), 1);
  assert.equal(changed(repeated, { price: CHEAP, repeatedCommands: true }), 1);
  assert.equal(changed(repeated, { repeatedCommands: false }), 0);
  assert.equal(changed(repeated, { outdatedBy: 'age' }), 0);
});

test('R10.12 by kind, a new view for each request sends the same messages as one view', () => {
  fc.assert(
    fc.property(steps(70), fc.constantFrom('anthropic', 'openai', 'none'), (plan, price) => {
      const options = /** @type {any} */ ({ price });
      const view = new ContextView(options);
      play(plan, (stored, now) => {
        const sent = view.project(stored, { now }).messages;
        assert.deepEqual(new ContextView(options).project(stored, { now }).messages, sent);
      });
    }),
    { endOnFailure: true, numRuns: 12 },
  );
});
