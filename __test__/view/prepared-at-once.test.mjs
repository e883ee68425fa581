// @ts-check
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ContextViews } from 'palimpsest';

const START = Date.UTC(2026, 9, 1);

/**
 * What the views of two conversations that begin alike have seen after some requests of each.
 * @param {(requests: (() => Promise<unknown>)[]) => Promise<unknown>} send
 */
async function requestsSeen(send) {
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

test('R10.1 conversations that begin alike have a view each, also where they are prepared at once', async () => {
  const atOnce = await requestsSeen((requests) => Promise.all(requests.map((request) => request())));
  const inTurn = await requestsSeen(async (requests) => {
    for (const request of requests) await request();
  });
  assert.deepEqual(atOnce, inTurn);
});
