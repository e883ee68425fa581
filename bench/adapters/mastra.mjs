// @ts-check
import { Agent } from '@mastra/core/agent';
import { MockMemory } from '@mastra/core/memory';
import { TokenLimiterProcessor, ToolCallFilter } from '@mastra/core/processors';
import { createTool } from '@mastra/core/tools';
import { ContextProcessor } from 'palimpsest/mastra';
import { z } from 'zod';

/** @typedef {import('./replay.mjs').Way} Way */

process.env.MASTRA_TELEMETRY_DISABLED = '1';

export const sdk = 'Mastra';

/**
 * @param {import('./replay.mjs').Replay} replay
 * @param {import('@mastra/core/processors').InputProcessor[]} inputProcessors
 * @returns {Promise<unknown[]>}
 */
async function work(replay, inputProcessors) {
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
  const agent = new Agent({
    ...{ id: 'agent', name: 'agent', instructions: 'You are an agent.', tools, memory, inputProcessors },
    model: { id: 'mock/agent-large', url: `${replay.url}/v1`, apiKey: 'none' },
    maxRetries: 0,
  });
  const thread = { threadId: 'work', resourceId: 'user' };
  const options = { maxSteps: 1000, memory: { thread: thread.threadId, resource: thread.resourceId } };
  for (const content of replay.turns()) await replay.attempt(() => agent.generate(content, options));
  const { messages } = await memory.recall({ ...thread, perPage: false });
  const parts = messages.flatMap(({ content }) => content.parts);
  return parts.flatMap((part) => {
    const { result, errorText } = /** @type {any} */ (part).toolInvocation ?? {};
    return [result ?? errorText ?? []].flat();
  });
}

/** @type {Way[]} */
export const ways = [
  { name: 'nothing', run: (replay) => work(replay, []) },
  {
    name: 'its own `TokenLimiter`, 60,000',
    run: (replay) => work(replay, [new TokenLimiterProcessor(60_000)]),
  },
  {
    name: 'its own `ToolCallFilter`, as it comes',
    run: (replay) => work(replay, [new ToolCallFilter()]),
  },
  {
    name: 'its own `ToolCallFilter`, all but 20 steps',
    run: (replay) => work(replay, [new ToolCallFilter({ filterAfterToolSteps: 20 })]),
  },
  {
    name: '`palimpsest/mastra`',
    isOurs: true,
    run: (replay, price) => work(replay, [new ContextProcessor({ price })]),
  },
];
