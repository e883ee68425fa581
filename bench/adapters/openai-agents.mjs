// @ts-check
/**
 * Replays recorded work through OpenAI's Agents SDK: plain, with its own pruning if it has any, and with palimpsest.
 */
import { Agent, MemorySession, OpenAIProvider, Runner, tool } from '@openai/agents';
import { modelInputFilter } from 'palimpsest/openai-agents';
import { TITLE } from './replay.mjs';

/** @typedef {import('./replay.mjs').Way} Way */

export const sdk = 'OpenAI Agents';

/**
 * @param {import('./replay.mjs').Replay} replay
 * @param {(config: { modelProvider: any, modelSettings: any, tracingDisabled: boolean }) => Runner} runnerOf
 * @returns {Promise<unknown[]>}
 */
async function work(replay, runnerOf) {
  const tools = replay.tools.map((name) =>
    tool({
      name,
      description: name,
      strict: false,
      parameters: { type: 'object', properties: {}, required: [], additionalProperties: true },
      execute: async (input, _context, details) => replay.result(name, input, details?.toolCall?.callId),
    }),
  );
  const agent = new Agent({ name: 'agent', model: 'agent-large', instructions: 'You are an agent.', tools });
  const modelProvider = new OpenAIProvider({ baseURL: `${replay.url}/v1`, apiKey: 'none', useResponses: true });
  const runner = runnerOf({ modelProvider, modelSettings: { store: false }, tracingDisabled: true });
  const session = new MemorySession();
  for (const user of replay.turns()) {
    await replay.sendSide(async (side) => {
      const stored = await session.getItems();
      if (side === 'title') return runner.run(agent.clone({ instructions: TITLE, tools: [] }), stored.slice(0, 1));
      return runner.run(agent, [...stored, { type: 'message', role: 'user', content: user }]);
    });
    await replay.attempt(() => runner.run(agent, user, { session, maxTurns: 1000 }));
  }
  /** @type {any[]} */
  const items = await session.getItems();
  return items.filter(({ type }) => type === 'function_call_result').map(({ output }) => output.text ?? output);
}

/** For `bench/promise.mjs`, which renews adapters. @type {import('./renewed.mjs').SdkReplay[]} */
export const lives = [
  {
    name: 'OpenAI Agents',
    make: modelInputFilter,
    work(replay, ours) {
      if (ours === null) return work(replay, (config) => new Runner(config));
      const forward = (/** @type {any} */ call) => ours.next()(call);
      const callModelInputFilter = Object.assign(forward, { preserveInputIdentity: true });
      return work(replay, (config) => {
        const runner = new Runner({ ...config, callModelInputFilter });
        let end = () => {};
        ours.begin((filter) => {
          end();
          end = filter.observe(runner);
        });
        return runner;
      });
    },
  },
];

/** The ways that `bench/adapters.mjs` compares. @type {Way[]} */
export const ways = [
  { name: 'nothing', run: (replay) => work(replay, (config) => new Runner(config)) },
  {
    name: '`palimpsest/openai-agents`',
    isOurs: true,
    run: (replay, price) =>
      work(replay, (config) => {
        const filter = modelInputFilter({ price });
        const runner = new Runner({ ...config, callModelInputFilter: filter });
        filter.observe(runner);
        return runner;
      }),
  },
];
