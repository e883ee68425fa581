// @ts-check
/** A request that the user interrupted has reached the provider, so it counts for the cache. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ContextView } from 'palimpsest';
import { exchange, MINUTE, START } from '../support/histories.mjs';

/** Turns of one read each, a minute apart; the first reads are outdated at the end. @param {number} turns */
function conversation(turns) {
  /** @type {any[]} */ const messages = [];
  for (let nth = 0; nth < turns; nth++) {
    const timestamp = START + nth * MINUTE;
    const read = exchange(`c${nth}`, 'read', { path: `src/${nth}.ts` }, `${nth} `.repeat(2_000));
    messages.push(
      { role: 'user', content: `Read file ${nth}.`, timestamp },
      ...read.map((message) => ({ ...message, timestamp })),
      { role: 'assistant', content: 'Done.', timestamp },
    );
  }
  return messages;
}

/** @param {any[]} messages */
const replacedIn = (messages) =>
  new ContextView({ price: 'openai', ages: { fileRead: 10 } }).project(messages, { now: messages.at(-1).timestamp })
    .report.indices.length;

/**
 * Results that are replaced in an interrupted request, and in the next one.
 * @param {number} firstPause minutes before the interrupted request
 * @param {number} secondPause minutes before the next one
 */
function replacedAround(firstPause, secondPause) {
  const messages = conversation(60);
  const interruptedAt = messages.at(-1).timestamp + firstPause * MINUTE;
  const interrupted = { role: 'user', content: 'And now?', timestamp: interruptedAt };
  const next = { role: 'user', content: 'Go on.', timestamp: interruptedAt + secondPause * MINUTE };
  return [replacedIn([...messages, interrupted]), replacedIn([...messages, interrupted, next])];
}

test('R10.4 two short pauses around an interrupted request are no long pause, because it keeps the cache warm', () => {
  const [cold = 0] = replacedAround(3 * 60, 3 * 60);
  // OpenAI keeps a prompt for half an hour.
  const [, warm = 0] = replacedAround(20, 20);
  assert.ok(cold > 0 && warm < cold, `${cold} after a pause, ${warm} after two short ones`);
});

test('R10.4 results that an interrupted request removed after a pause stay removed in the next one', () => {
  const [interrupted = 0, next] = replacedAround(3 * 60, 1);
  assert.ok(interrupted > 0);
  assert.equal(next, interrupted);
});
