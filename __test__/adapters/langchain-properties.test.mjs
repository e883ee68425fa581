// @ts-check
/** One `contextMiddleware` of `palimpsest/langchain` with random conversations that are interleaved. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '@langchain/core/load';
import fc from 'fast-check';
import { AIMessage, HumanMessage, ToolMessage } from 'langchain';
import { contextMiddleware } from 'palimpsest/langchain';
import { bytesOf, contentsOf, readCall, sentBy } from '../support/adapters/langchain.mjs';
import { runs } from '../support/comparison.mjs';
import { problemsIn } from '../support/providers/langchain.mjs';

/** @typedef {import('@langchain/core/messages').BaseMessage} BaseMessage */

/** One turn of a conversation: which files are read in parallel, and how that ends. */
const turn = fc.record({
  conversation: fc.nat({ max: 2 }),
  paths: fc.array(fc.constantFrom('a.js', 'b.js'), { minLength: 1, maxLength: 3 }),
  end: fc.constantFrom('read', 'failed', 'interrupted', 'reloaded'),
  isRetried: fc.boolean(),
});

/** @param {{ conversation: number, paths: string[], end: string }} turn @param {number} at its place @returns {BaseMessage[]} */
function messagesOf({ conversation, paths, end }, at) {
  // Conversations share ids.
  const calls = paths.map((path, nth) => readCall(`call_${at % 7}_${nth}`, path));
  const results = calls.map(({ id, name }, nth) => {
    const content = end === 'failed' && nth === 0 ? 'Error: gone' : `${conversation} ${at} ${nth} `.repeat(200);
    return new ToolMessage({ content, tool_call_id: id, name, artifact: { at, nth } });
  });
  const assistant = new AIMessage({ content: 'I look.', tool_calls: calls });
  return end === 'interrupted'
    ? [assistant, ...results.slice(1), new HumanMessage('no, wait')]
    : [assistant, ...results];
}

test('ADAPTERS 3 each interleaved conversation is sent what it would be sent alone, in valid requests, and its state is unchanged', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(turn, { maxLength: 40 }), fc.constantFrom('none', 'anthropic'), async (turns, price) => {
      const options = { price: /** @type {any} */ (price), maxExtraCost: 1 };
      const shared = contextMiddleware(options);
      const alone = [0, 1, 2].map(() => contextMiddleware(options));
      const states = [0, 1, 2].map((name) => /** @type {BaseMessage[]} */ ([new HumanMessage(`Begin ${name}.`)]));
      for (const [at, randomTurn] of turns.entries()) {
        const { conversation, end, isRetried } = randomTurn;
        let state = [.../** @type {BaseMessage[]} */ (states[conversation]), ...messagesOf(randomTurn, at)];
        // As after a checkpointer stored and loaded the state.
        if (end === 'reloaded') state = await Promise.all(state.map((message) => load(JSON.stringify(message))));
        states[conversation] = state;
        const before = contentsOf(state);
        for (let times = isRetried ? 2 : 1; times > 0; times--) {
          const sent = await sentBy(shared, state);
          assert.deepEqual(problemsIn(sent), []);
          assert.deepEqual(bytesOf(sent), bytesOf(await sentBy(alone[conversation], state)));
        }
        assert.deepEqual(contentsOf(state), before);
      }
    }),
    runs(0.1),
  );
});
