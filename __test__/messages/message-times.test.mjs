// @ts-check
/** Where the time of a message is read from, and what happens to results without one (docs/messages.md#times). */
import assert from 'node:assert/strict';
import { afterEach, describe, it, test } from 'node:test';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import {
  ContextView,
  prepareMessages,
  setLogger,
  simplifyHistoricalFileReads,
  simplifyOutdatedTerminalResults,
  simplifyTextSearchResults,
  simplifyToolResults,
} from 'palimpsest';
import { testEachSession } from '../support/corpus.mjs';
import { cleanupOptions, history, MINUTE } from '../support/histories.mjs';
import { HOUR, NOW, SUCCESS, TERMINAL_PLACEHOLDER } from '../support/old-results.mjs';

/** @typedef {any} Untyped */

/** Calls of `tool` with their results, each with the fields of `time`. @param {number} count @param {(step: number) => object} time @param {string} [tool] */
function results(count, time, tool = 'bash') {
  return Array.from({ length: count }, (_, step) => [
    {
      role: 'assistant',
      content: '',
      tool_calls: [{ id: `c${step}`, function: { name: tool, arguments: '{"filePath":"a.ts"}' } }],
    },
    { role: 'tool', tool_call_id: `c${step}`, content: `${SUCCESS}${' '.repeat(step)}`, ...time(step) },
  ]).flat();
}
const noTime = () => ({});
/** Which results were replaced, counted from 0. @param {Untyped} report */
const replaced = ({ indices }) => indices.map((/** @type {number} */ index) => (index - 1) / 2);

describe('R1.1 a time is read from', () => {
  const at = (/** @type {number} */ step) => NOW - HOUR + step * 1000;
  /** @type {Record<string, (step: number) => object>} */
  const forms = {
    'timestamp in ms': (step) => ({ timestamp: at(step) }),
    'timestamp as a Date of another realm': (step) => ({ timestamp: runInNewContext(`new Date(${at(step)})`) }),
    'timestamp as ISO text': (step) => ({ timestamp: new Date(at(step)).toISOString() }),
    'timestamp as ISO text with an offset': (step) => ({
      timestamp: new Date(at(step)).toISOString().replace('Z', '+00:00'),
    }),
    'timestamp as a Date': (step) => ({ timestamp: new Date(at(step)) }),
    'timestamp in seconds': (step) => ({ timestamp: at(step) / 1000 }),
    'createdAt in ms': (step) => ({ createdAt: at(step) }),
    'createdAt as a Date': (step) => ({ createdAt: new Date(at(step)) }),
    'created_at as ISO text': (step) => ({ created_at: new Date(at(step)).toISOString() }),
    'created_at in whole seconds': (step) => ({ created_at: Math.floor(at(step) / 1000) }),
    'ts in ms': (step) => ({ ts: at(step) }),
    'createdAt if timestamp is null': (step) => ({ timestamp: null, createdAt: at(step) }),
  };
  for (const [form, time] of Object.entries(forms)) {
    it(form, () => {
      const messages = results(8, time);
      const report = simplifyOutdatedTerminalResults([...messages], { now: NOW });
      assert.deepEqual(replaced(report), [0, 1, 2]);
      assert.deepEqual(report.timestamps, { unknown: 0, seconds: form.includes('seconds') ? 8 : 0 });
      // Recent results are kept: the age is read, not only the order.
      assert.equal(simplifyOutdatedTerminalResults([...messages], { now: NOW - HOUR + 10_000 }).changed, 0);
      // In reverse order of time the first results are the newest.
      const backwards = results(8, (step) => time(7 - step));
      assert.deepEqual(replaced(simplifyOutdatedTerminalResults(backwards, { now: NOW })), [5, 6, 7]);
    });
  }

  it('timestamp if createdAt is present too', () => {
    const messages = results(8, (step) => ({ timestamp: at(step), createdAt: at(-step) }));
    assert.deepEqual(replaced(simplifyOutdatedTerminalResults(messages, { now: NOW })), [0, 1, 2]);
  });

  it('a text or Date that was edited in place', () => {
    const messages = /** @type {Untyped[]} */ (results(8, (step) => ({ timestamp: new Date(at(step)).toISOString() })));
    const now = NOW - HOUR + 10 * MINUTE;
    assert.equal(prepareMessages(messages, { now }).report.changed, 0);
    messages[1].timestamp = new Date(NOW - 3 * HOUR).toISOString();
    assert.deepEqual(replaced(prepareMessages(messages, { now }).report), [0]);
    messages[3].timestamp = new Date(NOW - 2 * HOUR);
    assert.deepEqual(replaced(prepareMessages(messages, { now }).report), [0, 1]);
    messages[3].timestamp.setTime(NOW);
    assert.deepEqual(replaced(prepareMessages(messages, { now }).report), [0]);
  });

  it('numbers in seconds since 1970, and small numbers as milliseconds of another clock', () => {
    const report = (/** @type {number} */ timestamp, /** @type {number} */ now) =>
      simplifyOutdatedTerminalResults(
        results(8, () => ({ timestamp })),
        { now },
      );
    assert.equal(report(NOW / 1000, NOW).changed, 0, 'the results are new');
    assert.equal(report(NOW / 1000, NOW).timestamps.seconds, 8);
    assert.equal(report(1000, 2000).changed, 0);
    assert.equal(report(1000, 1000 + HOUR).changed, 3);
    assert.equal(report(1000, 1000 + HOUR).timestamps.seconds, 0);
  });
});

describe('R1.1 results without a time', () => {
  afterEach(() => setLogger(null));

  it('are kept and counted in timestamps.unknown by drop-in functions, unless unknownAge is "old"', () => {
    for (const [simplify, tool] of /** @type {[Untyped, string][]} */ ([
      [simplifyOutdatedTerminalResults, 'bash'],
      [simplifyHistoricalFileReads, 'filesystem-read'],
      [simplifyTextSearchResults, 'ace-text_search'],
    ])) {
      const messages = results(8, noTime, tool);
      const kept = simplify([...messages], { now: NOW });
      assert.deepEqual([kept.changed, kept.timestamps.unknown], [0, 8], tool);
      const old = simplify([...messages], { now: NOW, unknownAge: 'old' });
      assert.deepEqual([replaced(old), old.timestamps.unknown], [[0, 1, 2], 8], tool);
    }
    const rule = { name: 'mine', tools: ['bash'], keepRecent: 2, maxAgeMs: HOUR, placeholder: 'gone' };
    assert.equal(simplifyToolResults(results(4, noTime), [rule], { now: NOW }).changed, 0);
    assert.deepEqual(
      replaced(simplifyToolResults(results(4, noTime), [rule], { now: NOW, unknownAge: 'old' })),
      [0, 1],
    );
  });

  it('are old in prepareMessages if no result has a time, and in a view as old as their first request', () => {
    const messages = results(8, noTime);
    assert.deepEqual(replaced(prepareMessages(messages, { now: NOW }).report), [0, 1, 2]);
    const view = new ContextView({ price: 'none', outdatedBy: 'age', orphans: false });
    assert.equal(view.project(messages, { now: NOW }).report.changed, 0);
    const nextTurn = [...messages, { role: 'assistant', content: 'Done.' }, { role: 'user', content: 'Go on.' }];
    assert.equal(view.project(nextTurn, { now: NOW + 10 * 60_000 }).report.changed, 0);
    const lastTurn = [...nextTurn, { role: 'assistant', content: 'Done.' }, { role: 'user', content: 'Go on.' }];
    assert.deepEqual(replaced(view.project(lastTurn, { now: NOW + 15 * 60_000 + 1 }).report), [0, 1, 2]);
    assert.equal(prepareMessages(messages, { now: NOW, unknownAge: 'keep' }).report.changed, 0);
    const keeping = new ContextView({ price: 'none', outdatedBy: 'age', orphans: false, unknownAge: 'keep' });
    assert.equal(keeping.project(messages, { now: NOW }).report.changed, 0);
    assert.equal(keeping.project(lastTurn, { now: NOW + 24 * HOUR }).report.changed, 0);
  });

  it('are kept by prepareMessages if another result has a time, but not if only other messages have one', () => {
    for (const withTime of [
      { role: 'user', content: 'hi', timestamp: NOW },
      { role: 'assistant', content: 'hi', createdAt: new Date(NOW) },
      { role: 'tool', tool_call_id: 'c0', content: 'again', timestamp: NOW },
    ]) {
      const messages = [...results(8, noTime), withTime];
      // With orphans a second result of a call would be removed.
      const { report } = prepareMessages(messages, { now: NOW, orphans: false });
      assert.deepEqual(
        [report.changed, report.timestamps.unknown],
        [withTime.role === 'tool' ? 0 : 3, 8],
        withTime.role,
      );
      assert.deepEqual(
        replaced(prepareMessages(messages, { now: NOW, unknownAge: 'old', orphans: false }).report).length,
        3 + +(withTime.role === 'tool'),
      );
    }
  });

  it('are kept or replaced by the times that messages have at each call', () => {
    const messages = /** @type {Untyped[]} */ ([{ role: 'user', content: 'hi' }, ...results(8, noTime)]);
    const changed = () => prepareMessages(messages, { now: NOW, orphans: false }).report.changed;
    assert.equal(changed(), 3);
    messages[0].timestamp = NOW;
    assert.equal(changed(), 3, 'times of user messages don’t count');
    const result = messages.findIndex(({ role }) => role === 'tool');
    messages[result].timestamp = NOW;
    assert.equal(changed(), 0, 'a time was added');
    delete messages[result].timestamp;
    assert.equal(changed(), 3, 'the time was removed');
    messages.push({ role: 'tool', tool_call_id: 'c0', content: 'more', timestamp: NOW });
    assert.equal(changed(), 0);
    messages.pop();
    assert.equal(changed(), 3);
  });

  it('are as new as the result before them, with unknownAge "old"', () => {
    const messages = results(9, (step) => (step === 8 || step === 0 ? {} : { timestamp: NOW - HOUR + step }));
    const { report } = prepareMessages(messages, { now: NOW, unknownAge: 'old' });
    assert.deepEqual(replaced(report), [0, 1, 2, 3], 'the last five are kept, the ninth among them');
  });

  it('get a placeholder with {age} as “?”, which the next call recognises', () => {
    const rule = { name: 'mine', tools: ['bash'], keepRecent: 0, maxAgeMs: HOUR, placeholder: '[{tool}, {age} ago]' };
    const messages = results(1, noTime);
    assert.equal(simplifyToolResults(messages, [rule], { now: NOW, unknownAge: 'old' }).changed, 1);
    assert.equal(messages[1]?.content, '[bash, ? min ago]');
    assert.equal(simplifyToolResults(messages, [rule], { now: NOW, unknownAge: 'old' }).changed, 0);
  });

  it('R0.3 an invalid unknownAge is refused before a message changes', () => {
    const messages = results(8, noTime);
    const before = [...messages];
    for (const call of /** @type {((options: Untyped) => unknown)[]} */ ([
      (options) => simplifyOutdatedTerminalResults(messages, options),
      (options) => simplifyToolResults(messages, [], options),
      (options) => prepareMessages(messages, options),
      (options) => new ContextView(options),
    ])) {
      assert.throws(() => call({ unknownAge: 'new' }), {
        name: 'RangeError',
        code: 'ERR_OUT_OF_RANGE',
        message: /unknownAge/,
      });
      assert.throws(() => call({ unknownAge: true }), {
        name: 'TypeError',
        code: 'ERR_INVALID_ARG_TYPE',
        message: /unknownAge/,
      });
    }
    assert.deepEqual(messages, before);
  });

  it('are decided as if each message was sent a day after the one before, long ago', () => {
    const property = fc.property(history, cleanupOptions, ({ messages }, options) => {
      const timeless = messages.map((/** @type {Untyped} */ message) => {
        if (message === null || typeof message !== 'object') return message;
        const { timestamp: _, ...rest } = message;
        return rest;
      });
      const dated = timeless.map((/** @type {Untyped} */ message, /** @type {number} */ index) =>
        message === null || typeof message !== 'object' ? message : { ...message, timestamp: NOW + index * 24 * HOUR },
      );
      const now = NOW + (dated.length + 30) * 24 * HOUR;
      const { report, messages: sent } = prepareMessages(timeless, { ...options, now });
      const expected = prepareMessages(dated, { ...options, now });
      assert.deepEqual(report.indices, expected.report.indices);
      assert.deepEqual(
        sent.map((message) => message?.content),
        expected.messages.map((message) => message?.content),
      );
    });
    fc.assert(property, { numRuns: 200 });
  });

  testEachSession('in a recorded session that grows are decided as in a new session', ({ messages }) => {
    const timeless = messages.map(({ timestamp: _, ...message }) => message);
    const options = { terminal: { terminalTools: ['bash', 'exec'] }, now: NOW };
    for (let end = 1; end <= timeless.length; end += Math.ceil(timeless.length / 40)) {
      const soFar = timeless.slice(0, end);
      const { indices } = prepareMessages(structuredClone(soFar), options).report;
      assert.deepEqual(prepareMessages(soFar, options).report.indices, indices);
    }
  });
});

test('R1.1 timestamps.unknown counts the results that a rule checks in this call, not those before an edit', () => {
  const options = { now: NOW, orphans: false, terminal: false };
  const messages = /** @type {Untyped[]} */ (results(2, noTime, 'filesystem-read'));
  const counted = () => prepareMessages(messages, options).report.timestamps.unknown;
  assert.equal(counted(), 2);
  messages[2] = { role: 'assistant', content: 'never mind' };
  assert.equal(counted(), 1);
  messages[2] = results(2, noTime, 'filesystem-read')[2];
  assert.equal(counted(), 2);
});

describe('R9.1 the log of', () => {
  afterEach(() => setLogger(null));

  it('results without a time has one entry for each logger, also from a drop-in function', () => {
    const entries = /** @type {Untyped[]} */ ([]);
    setLogger({ warn: (/** @type {string} */ _, /** @type {Untyped} */ fields) => void entries.push(fields) });
    for (let call = 0; call < 3; call++) simplifyOutdatedTerminalResults(results(8, noTime), { now: NOW });
    assert.deepEqual(entries.map(Object), [{ event: 'untimed', results: 8 }]);
    prepareMessages(results(8, noTime), { now: NOW });
    assert.equal(entries.length, 1);
  });

  it('times in seconds has one entry for each logger, with counts only', () => {
    const entries = /** @type {Untyped[]} */ ([]);
    const logger = {
      warn: (/** @type {string} */ message, /** @type {Untyped} */ fields) => void entries.push({ fields, message }),
    };
    const messages = results(8, (step) => ({ timestamp: NOW / 1000 + step }));
    setLogger(logger);
    for (let call = 0; call < 3; call++) prepareMessages(structuredClone(messages), { now: NOW });
    assert.equal(entries.length, 1);
    assert.deepEqual(entries[0].fields, { event: 'seconds', results: 8 });
    assert.ok(!JSON.stringify(entries).includes(TERMINAL_PLACEHOLDER));
    setLogger(logger);
    prepareMessages(structuredClone(messages), { now: NOW });
    assert.equal(entries.length, 2, 'a logger that is set again gets an entry too');
  });
});
