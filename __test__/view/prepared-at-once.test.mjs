// @ts-check
/** Two conversations of one `ContextViews`, prepared at the same time. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ContextViews } from 'palimpsest';

const START = Date.UTC(2026, 9, 1);

/**
 * Requests in the ledgers of two conversations with the same beginning.
 * @param {(requests: (() => Promise<unknown>)[]) => Promise<unknown>} send
 */
async function requestCounts(send) {
  const views = new ContextViews();
  /** @type {any[][]} */
  const conversations = ['left', 'right'].map(() => [{ role: 'user', content: 'Find the mistake.' }]);
  for (let step = 0; step < 6; step++) {
    await send(conversations.map((messages) => () => views.prepare([...messages], { now: START })));
    for (const [at, messages] of conversations.entries()) {
      messages.push({ role: 'assistant', content: `${at} ${step}` }, { role: 'user', content: 'Go on.' });
    }
  }
  return conversations.map((messages) => views.viewFor(messages).ledger().requests);
}

test('ADAPTERS 3 conversations with the same beginning have a view each, also if they are prepared at the same time', async () => {
  const atOnce = await requestCounts((requests) => Promise.all(requests.map((request) => request())));
  const inTurn = await requestCounts(async (requests) => {
    for (const request of requests) await request();
  });
  assert.deepEqual(atOnce, inTurn);
});
