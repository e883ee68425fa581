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

test('R10.4 a request that was perhaps interrupted a minute ago is no pause: the provider has the prompt', () => {
  const messages = conversation(60);
  const later = messages.at(-1).timestamp + 3 * HOUR_MS;
  const question = { role: 'user', content: 'And now?', timestamp: later };
  const again = { role: 'user', content: 'Go on.', timestamp: later + MINUTE_MS };
  const cold = replacedIn([...messages, question]);
  const warm = replacedIn([...messages, question, again]);
  assert.ok(cold > 0 && warm < cold, `${cold} after the pause, ${warm} behind the interrupted request`);
});
