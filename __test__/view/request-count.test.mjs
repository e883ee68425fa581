// @ts-check
/** Which requests `ledger().requests` counts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ContextView } from 'palimpsest';
import { START } from '../support/histories.mjs';
import { bashSession, COMPRESSION_CONFIG, SUMMARY } from '../support/view-sessions.mjs';

/** Ten calls of bash: ten answered requests, and the one to come. */
const stored = bashSession(10, 'count');
const options = { now: START + 60_000 };

for (const price of /** @type {const} */ (['anthropic', 'none'])) {
  test(`R10.7 with price '${price}' \`ledger().requests\` counts each request once, also those sent before the view existed`, () => {
    const [live, late] = [new ContextView({ price }), new ContextView({ price })];
    assert.equal(live.ledger().requests, 0);
    for (let length = 2; length <= stored.length; length += 2) {
      live.project(stored.slice(0, length), options);
      assert.equal(live.ledger().requests, length / 2);
    }
    late.project(stored, options);
    assert.equal(late.ledger().requests, 11);
  });

  test(`R10.15 with price '${price}' \`ledger().requests\` counts retries, side requests and abandoned requests`, () => {
    const view = new ContextView({ price });
    view.project(stored, options);
    view.project(stored, options);
    assert.equal(view.ledger().requests, 12, 'a retry');
    view.project(stored.slice(0, 4), { ...options, side: true });
    assert.equal(view.ledger().requests, 13, 'a side request');
    view.project([...stored.slice(0, -2), { role: 'user', content: 'Stop.' }], options);
    assert.equal(view.ledger().requests, 14, 'an abandoned request stays');
  });
}

test('R10.11 `ledger().requests` does not count a request for a summary, and still counts those before it', async () => {
  const compression = { config: COMPRESSION_CONFIG, llmClient: async () => SUMMARY };
  const view = new ContextView({ price: 'anthropic', compression });
  let summaries = 0;
  for (let length = 2; length <= stored.length; length += 2) {
    const prepared = await view.prepare(stored.slice(0, length), options);
    if (prepared.compression.did === 'summarised') summaries++;
    assert.equal(view.ledger().requests, length / 2);
  }
  assert.ok(summaries > 0, 'something is summarised');
});
