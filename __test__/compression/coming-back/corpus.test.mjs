// @ts-check
/** Recorded sessions, compressed message by message: limits, pairs, and the restored history. */
import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { assertFits, assertPairs, countTokens } from '../../support/compressed-host.mjs';
import { AutoCompressionManager, expandHistory, NOW, stripForApi, throughJson } from '../../support/compression.mjs';
import { testEachSession } from '../../support/corpus.mjs';
import { scripted as scriptedReplies } from '../../support/scripted-llm.mjs';

const WINDOWS = [8_000, 32_000, 128_000];
/** Expanding is the slowest check, so only every eighth compression is expanded. */
const EXPAND_EVERY = 8;

/** Replies of the summary model, which repeat. @type {Record<string, string[]>} */
const MODELS = {
  'a good model': ['completion'],
  'a failing model': ['rejects'],
  'a model of mixed quality': [
    'completion',
    'short',
    'rejects',
    'huge',
    'late',
    'isCutOff',
    'chinese',
    'calls',
    'completion',
  ],
};

/**
 * Appends the recorded messages one by one, and checks the array after each `process` call.
 * @param {any[]} recorded
 * @param {number} window
 * @param {(parameters: any) => unknown} model
 */
async function replay(recorded, window, model) {
  /** @type {any[]} */
  const messages = [];
  /** @type {any[]} */
  let events = [];
  let changes = 0;
  const configuration = { maxContextTokens: window, autoCompressionSummaryModel: 'fast' };
  const manager = new AutoCompressionManager(configuration, model, null, {
    onEvent: (/** @type {any} */ event) => events.push(event),
  });
  for (const [index, message] of recorded.entries()) {
    messages.push(message);
    events = [];
    await manager.process(messages, { now: NOW + index * 60_000 });
    assertFits(messages, { window }, events);
    assert.ok(!events.some(({ type }) => type === 'failed'), 'an unexpected error');
    if (!events.some(({ type }) => type === 'compressed' || type === 'truncated')) continue;
    const history = recorded.slice(0, index + 1);
    assertPairs(messages, history);
    if (changes++ % EXPAND_EVERY === 0) assert.deepEqual(expandHistory(messages), history);
  }
  assert.deepEqual(expandHistory(messages), recorded);
  assert.deepEqual(expandHistory(throughJson(messages)), recorded);
  assertPairs(stripForApi(messages), recorded);
  const share = countTokens(recorded) / window;
  assert.ok(share <= 0.95 || changes > 0, 'a session above the hard limit was not changed');
  assert.ok(share >= 0.8 || changes === 0, 'a session below the threshold was changed');
}

describe('recorded sessions, compressed message by message', () => {
  for (const [name, replies] of Object.entries(MODELS)) {
    for (const window of WINDOWS) {
      const title = `R7.8 R7.11 with ${name} and a window of ${window} tokens, a session keeps history, pairs and hard limit`;
      testEachSession(title, async ({ messages }) => {
        const before = structuredClone(messages);
        let callCount = 0;
        const model = (/** @type {any} */ parameters) =>
          scriptedReplies([replies[callCount++ % replies.length]])(parameters);
        await replay(messages, window, model);
        assert.deepEqual(messages, before, 'R0.1 a recorded message was written to');
      });
    }
  }
});
