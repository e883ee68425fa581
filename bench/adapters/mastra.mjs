// @ts-check
/** Replays recorded work through Mastra: plain, with its own pruning if it has any, and with palimpsest. */
import { Agent } from '@mastra/core/agent';
import { MockMemory } from '@mastra/core/memory';
import { TokenLimiterProcessor, ToolCallFilter } from '@mastra/core/processors';
import { createTool } from '@mastra/core/tools';
import { ContextProcessor } from 'palimpsest/mastra';
import { z } from 'zod';
import { TITLE } from './replay.mjs';

/** @typedef {import('./replay.mjs').Way} Way */

process.env.MASTRA_TELEMETRY_DISABLED = '1';

export const sdk = 'Mastra';

/**
 * @param {import('./replay.mjs').Replay} replay
 * @param {import('@mastra/core/processors').InputProcessor[]} inputProcessors
 * @param {any[]} [outputProcessors]
 * @returns {Promise<unknown[]>}
 */
async function work(replay, inputProcessors, outputProcessors = []) {
  const memory = new MockMemory({ options: { lastMessages: 10_000 } });
  const tools = Object.fromEntries(
    replay.tools.map((id) => [
      id,
      createTool({
        id,
        description: id,
        inputSchema: z.looseObject({}),
        execute: async (input, { agent }) => replay.result(id, input, agent?.toolCallId),
      }),
    ]),
  );
  const model = /** @type {const} */ ({ id: 'mock/agent-large', url: `${replay.url}/v1`, apiKey: 'none' });
  const settings = { id: 'agent', name: 'agent', model, maxRetries: 0, inputProcessors, outputProcessors };
  const agent = new Agent({ ...settings, instructions: 'You are an agent.', tools, memory });
  const thread = { threadId: 'work', resourceId: 'user' };
  const options = { maxSteps: 1000, memory: { thread: thread.threadId, resource: thread.resourceId } };
  for (const content of replay.turns()) {
    await replay.sendSide(async (side) => {
      const { messages: stored } = await memory.recall({ ...thread, perPage: false });
      const own = { ...settings, instructions: side === 'title' ? TITLE : 'You are an agent.' };
      if (side === 'title') return new Agent(own).generate(stored.slice(0, 1));
      return new Agent({ ...own, tools }).generate([...stored, { role: 'user', content }]);
    });
    await replay.attempt(() => agent.generate(content, options));
  }
  const { messages } = await memory.recall({ ...thread, perPage: false });
  const parts = messages.flatMap(({ content }) => content.parts);
  return parts.flatMap((part) => {
    const { result, errorText } = /** @type {any} */ (part).toolInvocation ?? {};
    return [result ?? errorText ?? []].flat();
  });
}

/** For `bench/promise.mjs`, which renews adapters. @type {import('./renewed.mjs').SdkReplay[]} */
export const lives = [
  {
    name: 'Mastra',
    make: (options) => new ContextProcessor(options),
    work(replay, ours) {
      if (ours === null) return work(replay, []);
      const forwarder = {
        id: /** @type {const} */ ('palimpsest'),
        processLLMRequest: (/** @type {any} */ call) => ours.next().processLLMRequest(call),
        processOutputResult: (/** @type {any} */ run) => ours.current.processOutputResult(run),
      };
      return work(replay, [forwarder], [forwarder]);
    },
  },
];

/** The ways that `bench/adapters.mjs` compares. @type {Way[]} */
export const ways = [
  { name: 'nothing', run: (replay) => work(replay, []) },
  {
    name: '`TokenLimiter`, 60,000',
    run: (replay) => work(replay, [new TokenLimiterProcessor(60_000)]),
  },
  {
    name: '`ToolCallFilter`, as it comes',
    run: (replay) => work(replay, [new ToolCallFilter()]),
  },
  {
    name: '`ToolCallFilter`, all but 20 steps',
    run: (replay) => work(replay, [new ToolCallFilter({ filterAfterToolSteps: 20 })]),
  },
  {
    name: '`palimpsest/mastra`',
    isOurs: true,
    run: (replay, price) => work(replay, [new ContextProcessor({ price })]),
  },
];
