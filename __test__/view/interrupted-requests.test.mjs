// @ts-check
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ContextView } from 'palimpsest';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Turns of one read each, a minute apart; the first reads are outdated at the end. @param {number} turns */
function conversation(turns) {
  /** @type {any[]} */ const messages = [];
  for (let nth = 0; nth < turns; nth++) {
    const timestamp = Date.UTC(2026, 0, 1) + nth * MINUTE_MS;
    const call = { id: `c${nth}`, type: 'function', function: { name: 'read', arguments: `{"path":"src/${nth}.ts"}` } };
    messages.push(
      { role: 'user', content: `Read file ${nth}.`, timestamp },
      { role: 'assistant', content: '', tool_calls: [call], timestamp },
      { role: 'tool', tool_call_id: `c${nth}`, content: `${nth} `.repeat(2_000), timestamp },
      { role: 'assistant', content: 'Done.', timestamp },
    );
  }
  return messages;
}

/** @param {any[]} messages */
const replacedIn = (messages) =>
  new ContextView({ price: 'openai', ages: { fileRead: 10 } }).project(messages, { now: messages.at(-1).timestamp })
    .report.indices.length;

/** @param {any[]} messages @param {number} minutes from the last message to a question that is interrupted, and again to the next one */
function replacedAround(messages, minutes) {
  const { timestamp } = messages.at(-1);
  const at = (/** @type {number} */ nth) => timestamp + nth * minutes * MINUTE_MS;
  const question = { role: 'user', content: 'And now?', timestamp: at(1) };
  const again = { role: 'user', content: 'Go on.', timestamp: at(2) };
  return [replacedIn([...messages, question]), replacedIn([...messages, question, again])];
}

test('R10.4 two pauses around an interrupted request are not one: the provider has the prompt', () => {
  const messages = conversation(60);
  const [cold = 0] = replacedAround(messages, 3 * 60);
  // OpenAI keeps a prompt for half an hour.
  const [, warm = 0] = replacedAround(messages, 20);
  assert.ok(cold > 0 && warm < cold, `${cold} after a pause, ${warm} after two short ones`);
});

test('R10.4 what an interrupted request removed after a pause stays removed with the next one', () => {
  const messages = conversation(60);
  const { timestamp } = messages.at(-1);
  const question = { role: 'user', content: 'And now?', timestamp: timestamp + 3 * HOUR_MS };
  const again = { role: 'user', content: 'Go on.', timestamp: timestamp + 3 * HOUR_MS + MINUTE_MS };
  const [interrupted, next] = [replacedIn([...messages, question]), replacedIn([...messages, question, again])];
  assert.ok(interrupted > 0);
  assert.equal(next, interrupted);
});
