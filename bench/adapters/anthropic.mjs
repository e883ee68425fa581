// @ts-check
/** Replays recorded work through Anthropic's SDK: plain, with its own pruning if it has any, and with palimpsest. */
import Anthropic from '@anthropic-ai/sdk';
import { middleware } from 'palimpsest/anthropic';
import { TITLE } from './replay.mjs';

/** @typedef {import('./replay.mjs').Way} Way */

export const sdk = 'Anthropic';

/**
 * @param {import('./replay.mjs').Replay} replay
 * @param {{ client?: object, request?: object }} [options]
 * @returns {Promise<unknown[]>}
 */
async function work(replay, { client: options = {}, request = {} } = {}) {
  const client = new Anthropic({ baseURL: replay.url, apiKey: 'none', maxRetries: 0, ...options });
  const tools = replay.tools.map((name) => ({ name, input_schema: { type: /** @type {const} */ ('object') } }));
  const settings = { model: 'agent-large', max_tokens: 4096, system: 'You are an agent.', tools, ...request };
  /** @type {any[]} */
  const messages = [];
  const takeStep = async () => {
    const { content } = await client.beta.messages.create({ ...settings, messages });
    messages.push({ role: 'assistant', content });
    const calls = content.filter((block) => block.type === 'tool_use');
    if (calls.length > 0) messages.push({ role: 'user', content: calls.map((call) => resultOf(replay, call)) });
    return calls.length > 0;
  };
  for (const user of replay.turns()) {
    messages.push({ role: 'user', content: user });
    await replay.sendSide((side) => {
      const { tools: _, ...bare } = settings;
      const title = { ...bare, system: TITLE, messages: messages.slice(0, 1) };
      return client.beta.messages.create(side === 'title' ? title : { ...settings, messages });
    });
    while (await replay.attempt(takeStep));
  }
  const blocks = messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content));
  return blocks.filter(({ type }) => type === 'tool_result').map(({ content }) => content);
}

/** @param {import('./replay.mjs').Replay} replay @param {any} call */
function resultOf(replay, { id, name, input }) {
  try {
    return { type: 'tool_result', tool_use_id: id, content: replay.result(name, input, id) };
  } catch (error) {
    return { type: 'tool_result', tool_use_id: id, content: String(error), is_error: true };
  }
}

/** For `bench/promise.mjs`, which renews adapters. @type {import('./renewed.mjs').SdkReplay[]} */
export const lives = [
  {
    name: 'Anthropic, marks',
    isMarked: true,
    make: middleware,
    work(replay, ours) {
      const forward = (/** @type {any[]} */ ...call) => ours?.next()(...call);
      return work(replay, ours === null ? {} : { client: { middleware: [forward] } });
    },
  },
];

const cache_control = { type: 'ephemeral' };
/** The API's context editing with its defaults, and in batches, which its documentation recommends for the prompt cache. */
const clearing = (/** @type {object} */ more) => ({
  cache_control,
  betas: ['context-management-2025-06-27'],
  context_management: { edits: [{ type: 'clear_tool_uses_20250919', ...more }] },
});

/** The ways that `bench/adapters.mjs` compares. @type {Way[]} */
export const ways = [
  { name: 'nothing', run: (replay) => work(replay, { request: { cache_control } }) },
  { name: '`clear_tool_uses`', run: (replay) => work(replay, { request: clearing({}) }) },
  {
    name: '`clear_tool_uses`, from 30,000 tokens on',
    run: (replay) => work(replay, { request: clearing({ trigger: { type: 'input_tokens', value: 30_000 } }) }),
  },
  {
    name: '`palimpsest/anthropic`',
    isOurs: true,
    run: (replay, price) => work(replay, { client: { middleware: [middleware({ price, cacheControl: true })] } }),
  },
];
