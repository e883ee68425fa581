// @ts-check
/** Replays recorded work through LangChain: plain, with its own pruning if it has any, and with palimpsest. */
import { MemorySaver } from '@langchain/langgraph';
import { ChatOpenAI } from '@langchain/openai';
import { ClearToolUsesEdit, contextEditingMiddleware, createAgent, tool } from 'langchain';
import { contextMiddleware } from 'palimpsest/langchain';
import { TITLE } from './replay.mjs';

/** @typedef {import('./replay.mjs').Way} Way */

export const sdk = 'LangChain';

const THREAD = { recursionLimit: 10_000, configurable: { thread_id: 'work' } };

/**
 * @param {import('./replay.mjs').Replay} replay
 * @param {import('langchain').AgentMiddleware[]} middleware
 * @returns {Promise<unknown[]>}
 */
async function work(replay, middleware) {
  const configuration = { baseURL: `${replay.url}/v1` };
  const tools = replay.tools.map((name) =>
    tool((input, { toolCall }) => replay.result(name, input, toolCall?.id), {
      name,
      description: '',
      schema: { type: 'object', properties: {} },
    }),
  );
  const model = new ChatOpenAI({ model: 'agent-large', apiKey: 'none', maxRetries: 0, configuration });
  const settings = { model, systemPrompt: 'You are an agent.', tools, middleware };
  const agent = createAgent({ ...settings, checkpointer: new MemorySaver() });
  for (const content of replay.turns()) {
    await replay.sendSide(async (side) => {
      const { messages: stored } = /** @type {any} */ (await agent.getState(THREAD)).values;
      if (side === 'duplicate')
        return createAgent(settings).invoke({ messages: [...stored, { role: 'user', content }] });
      return createAgent({ ...settings, systemPrompt: TITLE, tools: [] }).invoke({ messages: stored.slice(0, 1) });
    });
    await replay.attempt(() => agent.invoke({ messages: [{ role: 'user', content }] }, THREAD));
  }
  const { messages } = /** @type {any} */ (await agent.getState(THREAD)).values;
  const results = messages.filter((/** @type {any} */ { type }) => type === 'tool');
  // LangChain adds a sentence to errors.
  return results.map((/** @type {any} */ { text }) => text.replace(/\n Please fix your mistakes\.$/, ''));
}

/** For `bench/promise.mjs`, which renews adapters. @type {import('./renewed.mjs').SdkReplay[]} */
export const lives = [
  {
    name: 'LangChain',
    make: contextMiddleware,
    work(replay, ours) {
      if (ours === null) return work(replay, []);
      const wrapModelCall = (/** @type {any[]} */ ...call) => ours.next().wrapModelCall(...call);
      return work(replay, [{ ...contextMiddleware(), wrapModelCall }]);
    },
  },
];

/** @param {number} tokens threshold at which all but the newest `keep` results are cleared @param {number} keep */
const cleared = (tokens, keep) =>
  contextEditingMiddleware({ edits: [new ClearToolUsesEdit({ trigger: { tokens }, keep: { messages: keep } })] });

/** The ways that `bench/adapters.mjs` compares. @type {Way[]} */
export const ways = [
  { name: 'nothing', run: (replay) => work(replay, []) },
  {
    name: '`contextEditingMiddleware`, from 100,000 tokens on all but 3',
    run: (replay) => work(replay, [cleared(100_000, 3)]),
  },
  {
    name: '`contextEditingMiddleware`, from 30,000 tokens on all but 10',
    run: (replay) => work(replay, [cleared(30_000, 10)]),
  },
  {
    name: '`palimpsest/langchain`',
    isOurs: true,
    run: (replay, price) => work(replay, [contextMiddleware({ price })]),
  },
];
