// @ts-check
import assert from 'node:assert/strict';
import { describe } from 'node:test';
import * as face from 'palimpsest';
import { assertFits, assertPairs, weigh } from '../../support/compressed-host.mjs';
import { testEachSession } from '../../support/corpus.mjs';
import { scripted } from '../../support/scripted-llm.mjs';

const { AutoCompressionManager, expandHistory, stripForApi } = /** @type {any} */ (face);
const NOW = 1_780_000_000_000;
const WINDOWS = [8_000, 32_000, 128_000];
/** Expanding costs more than all else; it is done when something was compressed, but not each time. */
const EXPAND_EVERY = 8;

/** Models that a session may have to do with. @type {Record<string, string[]>} */
const MODELS = {
  'a good model': ['completion'],
  'a model that fails': ['rejects'],
  'a fickle model': ['completion', 'short', 'rejects', 'huge', 'late', 'isCutOff', 'chinese', 'calls', 'completion'],
};

/**
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
    assert.ok(!events.some(({ type }) => type === 'failed'), 'something unforeseen happened');
    if (!events.some(({ type }) => type === 'compressed' || type === 'truncated')) continue;
    const history = recorded.slice(0, index + 1);
    assertPairs(messages, history);
    if (changes++ % EXPAND_EVERY === 0) assert.deepEqual(expandHistory(messages), history);
  }
  assert.deepEqual(expandHistory(messages), recorded);
  assert.deepEqual(expandHistory(JSON.parse(JSON.stringify(messages))), recorded);
  assertPairs(stripForApi(messages), recorded);
  const share = weigh(recorded) / window;
  assert.ok(share <= 0.95 || changes > 0, 'a session that is too large was left alone');
  assert.ok(share >= 0.8 || changes === 0, 'a session that fits was changed');
}

describe('compression of recorded sessions, message by message', () => {
  for (const [name, replies] of Object.entries(MODELS)) {
    for (const window of WINDOWS) {
      const title = `R7.8 R7.11 with ${name} and ${window} tokens nothing is lost, parted, or above the hard limit`;
      testEachSession(title, async ({ messages }) => {
        const before = structuredClone(messages);
        let asked = 0;
        const model = (/** @type {any} */ parameters) => scripted([replies[asked++ % replies.length]])(parameters);
        await replay(messages, window, model);
        assert.deepEqual(messages, before, 'R0.1 a recorded message was written to');
      });
    }
  }
});
