// @ts-check
/**
 * Replays recorded work through OpenAI's SDK (Responses): plain, with its own pruning if it has any, and with
 * palimpsest.
 */
import OpenAI from 'openai';
import { ContextView } from 'palimpsest';

/** @typedef {import('./replay.mjs').Way} Way */

export const sdk = 'OpenAI (Responses)';

/**
 * @param {import('./replay.mjs').Replay} replay
 * @param {ContextView} [view]
 * @returns {Promise<unknown[]>}
 */
async function work(replay, view) {
  const client = new OpenAI({ baseURL: `${replay.url}/v1`, apiKey: 'none', maxRetries: 0 });
  const tools = replay.tools.map((name) => ({
    type: /** @type {const} */ ('function'),
    name,
    strict: false,
    parameters: { type: 'object' },
  }));
  /** @type {any[]} */
  const items = [];
  const takeStep = async () => {
    const input = view === undefined ? items : (await view.prepare(items)).messages;
    const request = { model: 'agent-large', instructions: 'You are an agent.', store: false, input, tools };
    const { output, usage } = await client.responses.create(request);
    if (usage) view?.observe(usage);
    items.push(...output);
    const calls = output.filter((item) => item.type === 'function_call');
    for (const call of calls) items.push(resultOf(replay, call));
    return calls.length > 0;
  };
  for (const user of replay.turns()) {
    items.push({ role: 'user', content: user });
    while (await replay.attempt(takeStep));
  }
  return items.filter(({ type }) => type === 'function_call_output').map(({ output }) => output);
}

/** @param {import('./replay.mjs').Replay} replay @param {OpenAI.Responses.ResponseFunctionToolCall} call */
function resultOf(replay, { call_id, name, arguments: given }) {
  try {
    return { type: 'function_call_output', call_id, output: replay.result(name, JSON.parse(given), call_id) };
  } catch (error) {
    return { type: 'function_call_output', call_id, output: String(error) };
  }
}

/** The ways that `bench/adapters.mjs` compares. @type {Way[]} */
export const ways = [
  { name: 'nothing', run: (replay) => work(replay) },
  {
    name: '`palimpsest`: `view.prepare`',
    isOurs: true,
    run: (replay, price) => work(replay, new ContextView({ price })),
  },
];
