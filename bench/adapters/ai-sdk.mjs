// @ts-check
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, isStepCount, jsonSchema, pruneMessages, tool, wrapLanguageModel } from 'ai';
import { middleware } from 'palimpsest/ai-sdk';

/** @typedef {import('./replay.mjs').Way} Way */

export const sdk = 'AI SDK';

/**
 * @param {import('./replay.mjs').Replay} replay
 * @param {(model: any) => { model: any, prepareStep?: any }} how
 * @returns {Promise<unknown[]>}
 */
async function work(replay, how) {
  const plain = createOpenAICompatible({ name: 'mock', baseURL: `${replay.url}/v1` })('agent-large');
  const tools = Object.fromEntries(
    replay.tools.map((name) => [
      name,
      tool({
        description: '',
        inputSchema: jsonSchema({ type: 'object' }),
        execute: (input, { toolCallId }) => replay.result(name, input, toolCallId),
      }),
    ]),
  );
  const asked = { ...how(plain), system: 'You are an agent.', tools, stopWhen: isStepCount(1000), maxRetries: 0 };
  /** @type {any[]} */
  const messages = [];
  for (const user of replay.turns()) {
    messages.push({ role: 'user', content: user });
    const done = await replay.attempt(() => generateText({ ...asked, messages }));
    messages.push(...(done?.responseMessages ?? []));
  }
  const parts = messages.filter(({ role }) => role === 'tool').flatMap(({ content }) => content);
  return parts.map(({ output }) => output.value);
}

/** @param {'before-last-2-messages' | 'before-last-40-messages'} toolCalls */
const pruned =
  (toolCalls) =>
  (/** @type {any} */ { messages }) => ({
    messages: pruneMessages({ messages, reasoning: 'before-last-message', toolCalls, emptyMessages: 'remove' }),
  });

/** @type {Way[]} */
export const ways = [
  { name: 'nothing', run: (replay) => work(replay, (model) => ({ model })) },
  {
    name: 'its own `pruneMessages`, `before-last-2-messages`',
    run: (replay) => work(replay, (model) => ({ model, prepareStep: pruned('before-last-2-messages') })),
  },
  {
    name: 'its own `pruneMessages`, `before-last-40-messages`',
    run: (replay) => work(replay, (model) => ({ model, prepareStep: pruned('before-last-40-messages') })),
  },
  {
    name: '`palimpsest/ai-sdk`',
    isOurs: true,
    run: (replay, price) =>
      work(replay, (model) => ({ model: wrapLanguageModel({ model, middleware: middleware({ price }) }) })),
  },
];
