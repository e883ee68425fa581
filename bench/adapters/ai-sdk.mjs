// @ts-check
/** Replays recorded work through the AI SDK: plain, with its own pruning if it has any, and with palimpsest. */
import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, isStepCount, jsonSchema, pruneMessages, tool, wrapLanguageModel } from 'ai';
import { middleware } from 'palimpsest/ai-sdk';
import { TITLE } from './replay.mjs';

/** @typedef {import('./replay.mjs').Way} Way */

export const sdk = 'AI SDK';

/**
 * @param {import('./replay.mjs').Replay} replay
 * @param {(model: any) => { model: any, prepareStep?: any }} configure
 * @param {any} [model]
 * @returns {Promise<unknown[]>}
 */
async function work(replay, configure, model = compatible(replay)) {
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
  const settings = {
    ...configure(model),
    system: 'You are an agent.',
    tools,
    stopWhen: isStepCount(1000),
    maxRetries: 0,
  };
  /** @type {any[]} */
  const messages = [];
  for (const user of replay.turns()) {
    messages.push({ role: 'user', content: user });
    await replay.sendSide((side) => {
      const title = { ...settings, system: TITLE, tools: {}, messages: messages.slice(0, 1) };
      return generateText(side === 'title' ? title : { ...settings, messages });
    });
    const run = await replay.attempt(() => generateText({ ...settings, messages }));
    messages.push(...(run?.responseMessages ?? []));
  }
  const parts = messages.filter(({ role }) => role === 'tool').flatMap(({ content }) => content);
  return parts.map(({ output }) => output.value);
}

/** @param {import('./replay.mjs').Replay} replay */
const compatible = ({ url }) => createOpenAICompatible({ name: 'mock', baseURL: `${url}/v1` })('agent-large');

/** @param {import('./replay.mjs').Replay} replay */
const anthropicModel = ({ url }) => createAnthropic({ baseURL: `${url}/v1`, apiKey: 'none' })('claude-sonnet-4-5');

/** Middleware that forwards each request to the current adapter. @param {import('./renewed.mjs').Renewed | null} ours */
const forwarding = (ours) => (/** @type {any} */ model) => {
  if (ours === null) return { model };
  const forwarder = {
    specificationVersion: /** @type {const} */ ('v3'),
    transformParams: (/** @type {any} */ call) => ours.next().transformParams(call),
    wrapGenerate: (/** @type {any} */ call) => ours.current.wrapGenerate(call),
  };
  return { model: wrapLanguageModel({ model, middleware: forwarder }) };
};

/** For `bench/promise.mjs`, which renews adapters. @type {import('./renewed.mjs').SdkReplay[]} */
export const lives = [
  { name: 'AI SDK', make: middleware, work: (replay, ours) => work(replay, forwarding(ours)) },
  {
    name: 'AI SDK, marks',
    isMarked: true,
    make: middleware,
    work: (replay, ours) => work(replay, forwarding(ours), anthropicModel(replay)),
  },
];

/** @param {'before-last-2-messages' | 'before-last-40-messages'} toolCalls */
const pruned =
  (toolCalls) =>
  (/** @type {any} */ { messages }) => ({
    messages: pruneMessages({ messages, reasoning: 'before-last-message', toolCalls, emptyMessages: 'remove' }),
  });

/** What a view has by default, for an adapter that lives as long as the conversation. */
const VIEW_DEFAULTS = { arrivalTimes: true, repeated: true };

/** @param {object} [more] options @returns {Way['run']} */
const withPalimpsest = (more) => (replay, price) =>
  work(replay, (model) => ({ model: wrapLanguageModel({ model, middleware: middleware({ price, ...more }) }) }));

/** The ways that `bench/adapters.mjs` compares. @type {Way[]} */
export const ways = [
  { name: 'nothing', run: (replay) => work(replay, (model) => ({ model })) },
  {
    name: '`pruneMessages`, `before-last-2-messages`',
    run: (replay) => work(replay, (model) => ({ model, prepareStep: pruned('before-last-2-messages') })),
  },
  {
    name: '`pruneMessages`, `before-last-40-messages`',
    run: (replay) => work(replay, (model) => ({ model, prepareStep: pruned('before-last-40-messages') })),
  },
  { name: '`palimpsest/ai-sdk`', isOurs: true, run: withPalimpsest() },
  { name: '`palimpsest/ai-sdk`, `arrivalTimes` and `repeated`', isOurs: true, run: withPalimpsest(VIEW_DEFAULTS) },
];
