// @ts-check
/** One adapter object of `palimpsest/ai-sdk` with random conversations that are interleaved. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { middleware, prepareStep } from 'palimpsest/ai-sdk';
import { frozen, sentBy, user } from '../support/ai-sdk.mjs';
import { runs } from '../support/comparison.mjs';
import { convert } from '../support/dialects.mjs';
import { START } from '../support/histories.mjs';
import { neutralSession } from '../support/neutral-sessions.mjs';
import { problemsIn } from '../support/providers/ai-sdk.mjs';

const PRICES = /** @type {const} */ (['none', 'openai-older', 'anthropic']);
const OPTIONS = /** @type {const} */ ({ terminal: { keepRecent: 1 }, fileReads: { keepRecent: 1 } });

/** The messages of each request of a conversation. @param {any[]} messages @returns {any[][]} */
function requestsOf(messages) {
  const requests = messages.flatMap((message, at) =>
    message.role === 'assistant' && at > 0 ? [messages.slice(0, at)] : [],
  );
  return requests.filter((request) => problemsIn(request).length === 0);
}

/** @param {any} make @param {any} options @returns {(messages: any[]) => Promise<any[]>} */
function senderWith(make, options) {
  const adapter = make(options);
  if (make === middleware) return (messages) => sentBy(adapter, messages);
  return async (messages) => (await adapter({ messages, steps: [] })).messages;
}

for (const make of [middleware, prepareStep]) {
  test(`ADAPTERS 3 ${make.name} sends each interleaved conversation what it would send it alone, in valid requests, and changes no stored message`, async (t) => {
    t.mock.timers.enable({ apis: ['Date'], now: START });
    const order = fc.array(fc.record({ which: fc.nat(2), minutes: fc.nat(20) }), { minLength: 10, maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(neutralSession(), { minLength: 3, maxLength: 3 }),
        order,
        fc.constantFrom(...PRICES),
        async (sessions, turns, price) => {
          const options = { ...OPTIONS, price };
          const conversations = sessions.map((session, at) => {
            const { messages } = convert(session, 'ai-sdk', { times: false });
            const frozenMessages = frozen([user(`Conversation ${at}.`), ...messages]);
            return { requests: requestsOf(frozenMessages), sendAlone: senderWith(make, options) };
          });
          const sendShared = senderWith(make, options);
          for (const { which, minutes } of turns) {
            const { requests, sendAlone } = /** @type {typeof conversations[0]} */ (conversations[which]);
            const request = requests.shift();
            if (request === undefined) continue;
            t.mock.timers.tick(minutes * 60_000);
            const sent = await sendShared(request);
            assert.deepEqual(sent, await sendAlone(request));
            assert.deepEqual(problemsIn(sent), []);
          }
        },
      ),
      runs(0.03),
    );
  });
}
