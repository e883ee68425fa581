// @ts-check
/**
 * Replays recorded work through Google's Gen AI SDK: plain, with its own pruning if it has any, and with palimpsest.
 */
import { GoogleGenAI } from '@google/genai';
import { ContextView } from 'palimpsest';

/** @typedef {import('./replay.mjs').Way} Way */

export const sdk = 'Google Gen AI';

/**
 * @param {import('./replay.mjs').Replay} replay
 * @param {ContextView} [view]
 * @returns {Promise<unknown[]>}
 */
async function work(replay, view) {
  const client = new GoogleGenAI({ apiKey: 'none', httpOptions: { baseUrl: replay.url } });
  const config = {
    systemInstruction: 'You are an agent.',
    tools: [{ functionDeclarations: replay.tools.map((name) => ({ name, description: name })) }],
  };
  /** @type {any[]} */
  const stored = [];
  const takeStep = async () => {
    const contents = view === undefined ? stored : (await view.prepare(stored)).messages;
    const response = await client.models.generateContent({ model: 'agent-large', contents, config });
    if (response.usageMetadata) view?.observe(response.usageMetadata);
    stored.push(response.candidates?.[0]?.content);
    const calls = response.functionCalls ?? [];
    if (calls.length > 0) stored.push({ role: 'user', parts: calls.map((call) => resultOf(replay, call)) });
    return calls.length > 0;
  };
  for (const user of replay.turns()) {
    stored.push({ role: 'user', parts: [{ text: user }] });
    while (await replay.attempt(takeStep));
  }
  const parts = stored.flatMap((content) => content.parts);
  const responses = parts.flatMap(({ functionResponse }) => (functionResponse ? [functionResponse.response] : []));
  return responses.map(({ output, error }) => output ?? error);
}

/** @param {import('./replay.mjs').Replay} replay @param {import('@google/genai').FunctionCall} call */
function resultOf(replay, { name = '', args }) {
  try {
    return { functionResponse: { name, response: { output: replay.result(name, args) } } };
  } catch (error) {
    return { functionResponse: { name, response: { error: String(error) } } };
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
