// @ts-check
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

/** @param {any[]} messages as a host's file has them */
const saved = (messages) => JSON.parse(JSON.stringify(messages));

/** The last place up to `end` at which the messages so far are a valid request. @param {string} dialect @param {any[]} messages @param {number} end */
function pauseBefore(dialect, messages, end) {
  while (end > 0 && DIALECTS[dialect]?.problemsIn(messages.slice(0, end), { pendingTurn: true }).length !== 0) end--;
  return end;
}

/** @param {string} dialect @param {any[]} messages @param {string} [why] */
function assertValid(dialect, messages, why) {
  assert.deepEqual(DIALECTS[dialect]?.problemsIn(stripForApi(messages), { pendingTurn: true }), [], why);
}

/** @param {any[]} messages @param {any[]} said */
function assertWhole(messages, said) {
  assert.deepEqual(expandHistory(messages), said);
  assert.deepEqual(expandHistory(saved(messages)), saved(said), 'from a file');
  assert.deepEqual(expandHistory(structuredClone(messages)), structuredClone(said), 'from another thread');
}

const plan = fc.record({
  session: neutralSession(12),
  stops: fc.array(fc.nat(), { minLength: 1, maxLength: 4 }),
  keep: fc.constantFrom(0, 1, 4, 10),
  share: fc.constantFrom(0.2, 0.5, 0.9),
  model: fc.constantFrom('fast', undefined),
});

for (const dialect of Object.keys(DIALECTS)) {
  describe(`R7 in ${dialect}`, () => {
    test('valid in, valid out, all comes back, and no stored message is written to', async () => {
      const happened = new Set();
      await fc.assert(
        fc.asyncProperty(plan, async ({ session, stops, keep, share, model }) => {
          const { messages: all } = convert(session, dialect);
          const { messages: again } = convert(session, dialect);
          const window = Math.ceil(share * counter.countMessages(all)) + 300;
          const { manager, events } = managerWith({
            config: configuration({
              autoCompressionSummaryModel: model,
              autoCompressionKeepRecentCount: keep,
              maxContextTokens: window,
            }),
          });
          const last = pauseBefore(dialect, all, all.length);
          const ends = [...stops.map((stop) => pauseBefore(dialect, all, 1 + (stop % all.length))), last];
          /** @type {any[]} */
          const stored = [];
          let end = 0;
          for (const next of ends.sort((a, b) => a - b)) {
            stored.push(...all.slice(end, next));
            end = next;
            const before = [...stored];
            await manager.process(stored, { now: NOW });
            assertValid(dialect, stored);
            assertWhole(stored, all.slice(0, end));
            assert.deepEqual(all, again, 'nothing that the host has is written to');
            const tooLarge = events.some(({ type }) => type === 'cannot_fit');
            if (!tooLarge) assert.ok(counter.countMessages(stripForApi(stored)) <= window, 'it fits');
            if (stored.length < before.length) happened.add('shorter');
          }
          for (const { type } of events) happened.add(type);
          assert.ok(!happened.has('failed'));
        }),
        runs(0.04),
      );
      for (const type of ['compressed', 'truncated', 'shorter']) assert.ok(happened.has(type), `never ${type}`);
    });

    test('by hand and over again: the summary is a message of the dialect, and its record survives', async () => {
      const { messages: all } = convert(longSession(7), dialect);
      const middle = pauseBefore(dialect, all, Math.ceil(all.length * 0.6));
      const stored = all.slice(0, middle);
      const { manager } = managerWith();
      for (const words of ['first', 'second']) {
        const result = await manager.compress(stored, { summary: `${summary(words)} ${'x '.repeat(60)}`, now: NOW });
        assert.equal(result.compressed, true, result.reason);
        assertValid(dialect, stored);
        if (words === 'first') stored.push(...all.slice(middle));
        assertWhole(stored, all);
      }
    });
  });
}

/** Without reasoning: where a turn that goes on must keep it is each provider's own law. */
const comparable = (/** @type {import('../support/neutral-sessions.mjs').NeutralSession} */ session) => ({
  ...session,
  steps: session.steps.map((step) => (step.kind === 'assistant' ? { ...step, reasoning: null } : step)),
});

/** The calls and results that are left. @param {string} dialect @param {any[]} messages */
function left(dialect, messages) {
  const { calls, results } = idsIn(dialect, messages);
  return `${calls.length} calls, ${results.length} results`;
}

describe('R11 the same conversation gets the same decisions in every dialect', () => {
  // The next request of Gemini and Bedrock stands in one content with the results before it, and can't be parted from them.
  const others = Object.keys(DIALECTS).filter((dialect) => !/^(gemini|bedrock)/.test(dialect));

  test('the same range is summarised, whatever stands in one message', async () => {
    let compressions = 0;
    await fc.assert(
      fc.asyncProperty(neutralSession(8), fc.integer({ min: 0, max: 12 }), async (session, keep) => {
        const found = new Map();
        for (const dialect of others) {
          const { messages } = convert(comparable(session), dialect);
          const { manager } = managerWith({ config: configuration({ autoCompressionKeepRecentCount: keep }) });
          const { compressed, reason } = await manager.compress(messages, { summary: summary(), now: NOW });
          found.set(dialect, compressed ? left(dialect, messages) : reason);
          compressions += Number(compressed);
        }
        // Dialects weigh differently: whether a summary is smaller than a few short messages differs with them.
        if ([...found.values()].includes('not_smaller')) return;
        const expected = found.get('openai-chat');
        for (const [dialect, decision] of found) assert.equal(decision, expected, dialect);
      }),
      runs(0.05),
    );
    assert.ok(compressions > 0);
  });

  test('the same is cut at the hard limit, as far as dialects weigh the same', async () => {
    for (const share of [0.3, 0.5, 0.8]) {
      const found = new Map();
      for (const dialect of Object.keys(DIALECTS)) {
        const { messages } = convert(comparable(longSession(12)), dialect);
        const window = Math.round(share * counter.countMessages(messages));
        const config = configuration({ autoCompressionSummaryModel: undefined, maxContextTokens: window });
        const { manager, types } = managerWith({ config });
        await manager.process(messages, { now: NOW });
        assert.ok(types().includes('truncated'));
        found.set(dialect, left(dialect, messages));
      }
      assert.equal(new Set(found.values()).size, 1, JSON.stringify([...found]));
    }
  });
});

describe('R7 recorded sessions, written out in every dialect', () => {
  testEachSession('are compressed and cut, stay valid, and come back', async ({ messages: recorded }) => {
    const session = neutralFrom(recorded);
    for (const dialect of Object.keys(DIALECTS)) {
      const { messages: all } = convert(session, dialect);
      assert.deepEqual(DIALECTS[dialect]?.problemsIn(all), [], `${dialect}: the conversion is at fault`);
      const tokens = counter.countMessages(all);
      for (const model of ['fast', undefined]) {
        const stored = [...all];
        const config = configuration({ autoCompressionSummaryModel: model, maxContextTokens: Math.ceil(0.5 * tokens) });
        const { manager, types } = managerWith({ config });
        await manager.process(stored, { now: NOW });
        assert.ok(types().includes('triggered'), dialect);
        assertValid(dialect, stored, dialect);
        assertWhole(stored, all);
      }
    }
  });
});
