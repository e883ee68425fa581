// @ts-check
/** Compressions and cuts of random and recorded conversations in every dialect. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import * as palimpsest from 'palimpsest';
import { runs } from '../support/comparison.mjs';
import { configuration, managerWith, NOW, summary } from '../support/compression.mjs';
import { testEachSession } from '../support/corpus.mjs';
import { convert, DIALECTS, idsIn } from '../support/dialects.mjs';
import { neutralFrom } from '../support/neutral-recordings.mjs';
import { longSession, neutralSession } from '../support/neutral-sessions.mjs';

const { expandHistory, stripForApi, TokenCounter } = /** @type {any} */ (palimpsest);
const counter = new TokenCounter();

/** As loaded from a file. @param {any[]} messages */
const reloaded = (messages) => JSON.parse(JSON.stringify(messages));

/** The largest index up to `end` before which the messages are a valid request. @param {string} dialect @param {any[]} messages @param {number} end */
function validEndBefore(dialect, messages, end) {
  while (end > 0 && DIALECTS[dialect]?.problemsIn(messages.slice(0, end), { pendingTurn: true }).length !== 0) end--;
  return end;
}

/** @param {string} dialect @param {any[]} messages @param {string} [why] */
function assertValid(dialect, messages, why) {
  assert.deepEqual(DIALECTS[dialect]?.problemsIn(stripForApi(messages), { pendingTurn: true }), [], why);
}

/** @param {any[]} messages @param {any[]} originals */
function assertExpandsTo(messages, originals) {
  assert.deepEqual(expandHistory(messages), originals);
  assert.deepEqual(expandHistory(reloaded(messages)), reloaded(originals), 'from a file');
  assert.deepEqual(expandHistory(structuredClone(messages)), structuredClone(originals), 'from another thread');
}

const plan = fc.record({
  session: neutralSession(12),
  stops: fc.array(fc.nat(), { minLength: 1, maxLength: 4 }),
  keep: fc.constantFrom(0, 1, 4, 10),
  share: fc.constantFrom(0.2, 0.5, 0.9),
  model: fc.constantFrom('fast', undefined),
});

for (const dialect of Object.keys(DIALECTS)) {
  describe(`R7.8 long sessions in ${dialect}`, () => {
    test('process keeps requests valid and within the window, changes no message, and expandHistory returns the originals', async () => {
      const outcomes = new Set();
      await fc.assert(
        fc.asyncProperty(plan, async ({ session, stops, keep, share, model }) => {
          const { messages: all } = convert(session, dialect);
          const { messages: unchanged } = convert(session, dialect);
          const window = Math.ceil(share * counter.countMessages(all)) + 300;
          const { manager, events } = managerWith({
            config: configuration({
              autoCompressionSummaryModel: model,
              autoCompressionKeepRecentCount: keep,
              maxContextTokens: window,
            }),
          });
          const last = validEndBefore(dialect, all, all.length);
          const ends = [...stops.map((stop) => validEndBefore(dialect, all, 1 + (stop % all.length))), last];
          /** @type {any[]} */
          const stored = [];
          let end = 0;
          for (const next of ends.sort((a, b) => a - b)) {
            stored.push(...all.slice(end, next));
            end = next;
            const before = [...stored];
            await manager.process(stored, { now: NOW });
            assertValid(dialect, stored);
            assertExpandsTo(stored, all.slice(0, end));
            assert.deepEqual(all, unchanged, 'the application’s messages are unchanged');
            const tooLarge = events.some(({ type }) => type === 'cannot_fit');
            if (!tooLarge) assert.ok(counter.countMessages(stripForApi(stored)) <= window, 'it fits');
            if (stored.length < before.length) outcomes.add('shorter');
          }
          for (const { type } of events) outcomes.add(type);
          assert.ok(!outcomes.has('failed'));
        }),
        runs(0.04),
      );
      for (const type of ['compressed', 'truncated', 'shorter']) assert.ok(outcomes.has(type), `never ${type}`);
    });

    test('R7.12 compress, called twice with a summary, keeps the request valid and the record complete', async () => {
      const { messages: all } = convert(longSession(7), dialect);
      const middle = validEndBefore(dialect, all, Math.ceil(all.length * 0.6));
      const stored = all.slice(0, middle);
      const { manager } = managerWith();
      for (const word of ['first', 'second']) {
        const result = await manager.compress(stored, { summary: `${summary(word)} ${'x '.repeat(60)}`, now: NOW });
        assert.equal(result.compressed, true, result.reason);
        assertValid(dialect, stored);
        if (word === 'first') stored.push(...all.slice(middle));
        assertExpandsTo(stored, all);
      }
    });
  });
}

/** Without reasoning, because each provider has its own rules on when it must be kept. */
const withoutReasoning = (/** @type {import('../support/neutral-sessions.mjs').NeutralSession} */ session) => ({
  ...session,
  steps: session.steps.map((step) => (step.kind === 'assistant' ? { ...step, reasoning: null } : step)),
});

/** How many calls and results are kept. @param {string} dialect @param {any[]} messages */
function keptCounts(dialect, messages) {
  const { calls, results } = idsIn(dialect, messages);
  return `${calls.length} calls, ${results.length} results`;
}

describe('R11.1 the same conversation is compressed alike in every dialect', () => {
  // In Gemini and Bedrock the next user request is in one content with the results before it, and can't be separated.
  const others = Object.keys(DIALECTS).filter((dialect) => !/^(gemini|bedrock)/.test(dialect));

  test('compress keeps the same number of calls and results, however the dialect divides them into messages', async () => {
    let compressions = 0;
    await fc.assert(
      fc.asyncProperty(neutralSession(8), fc.integer({ min: 0, max: 12 }), async (session, keep) => {
        const found = new Map();
        for (const dialect of others) {
          const { messages } = convert(withoutReasoning(session), dialect);
          const { manager } = managerWith({ config: configuration({ autoCompressionKeepRecentCount: keep }) });
          const { compressed, reason } = await manager.compress(messages, { summary: summary(), now: NOW });
          found.set(dialect, compressed ? keptCounts(dialect, messages) : reason);
          compressions += Number(compressed);
        }
        // Token counts differ between dialects, and so does whether a summary is smaller than a few short messages.
        if ([...found.values()].includes('not_smaller')) return;
        const expected = found.get('openai-chat');
        for (const [dialect, decision] of found) assert.equal(decision, expected, dialect);
      }),
      runs(0.05),
    );
    assert.ok(compressions > 0);
  });

  test('a cut at the hard limit keeps the same number of calls and results, if the window is a share of the tokens', async () => {
    for (const share of [0.3, 0.5, 0.8]) {
      const found = new Map();
      for (const dialect of Object.keys(DIALECTS)) {
        const { messages } = convert(withoutReasoning(longSession(12)), dialect);
        const window = Math.round(share * counter.countMessages(messages));
        const config = configuration({ autoCompressionSummaryModel: undefined, maxContextTokens: window });
        const { manager, types } = managerWith({ config });
        await manager.process(messages, { now: NOW });
        assert.ok(types().includes('truncated'));
        found.set(dialect, keptCounts(dialect, messages));
      }
      assert.equal(new Set(found.values()).size, 1, JSON.stringify([...found]));
    }
  });
});

describe('R7.8 recorded sessions, converted to every dialect', () => {
  testEachSession(
    'stay valid after a compression or cut, and expand to the originals',
    async ({ messages: recorded }) => {
      const session = neutralFrom(recorded);
      for (const dialect of Object.keys(DIALECTS)) {
        const { messages: all } = convert(session, dialect);
        assert.deepEqual(DIALECTS[dialect]?.problemsIn(all), [], `${dialect}: the conversion is invalid`);
        const tokens = counter.countMessages(all);
        for (const model of ['fast', undefined]) {
          const stored = [...all];
          const config = configuration({
            autoCompressionSummaryModel: model,
            maxContextTokens: Math.ceil(0.5 * tokens),
          });
          const { manager, types } = managerWith({ config });
          await manager.process(stored, { now: NOW });
          assert.ok(types().includes('triggered'), dialect);
          assertValid(dialect, stored, dialect);
          assertExpandsTo(stored, all);
        }
      }
    },
  );
});
