// @ts-check
/** An agent that uses Google's SDK, which has no hook. If `PRICE` is set, it prepares its requests with palimpsest. */
import { GoogleGenAI, Type } from '@google/genai';
import { ContextView } from 'palimpsest';
import { workshop } from '../agent/tools.mjs';
import { SYSTEM, TASK } from '../agent/work.mjs';

const { PROVIDER_URL, PRICE } = process.env;
const client = new GoogleGenAI({ apiKey: 'none', httpOptions: { baseUrl: `${PROVIDER_URL}` } });
const view = PRICE ? new ContextView({ price: /** @type {any} */ (PRICE) }) : undefined;

const { read, edit, run, remove } = workshop();
/** @type {Record<string, (input: any) => string | Promise<string>>} */
const doing = { read_file: read, edit_file: edit, run_command: run };
/** @param {string} name @param {string} description @param {string[]} fields */
const tool = (name, description, fields) => ({
  name,
  description,
  parameters: {
    type: Type.OBJECT,
    properties: Object.fromEntries(fields.map((field) => [field, { type: Type.STRING }])),
    required: fields,
  },
});
const functionDeclarations = [
  tool('read_file', 'Reads a file', ['path']),
  tool('edit_file', 'Replaces a text in a file', ['path', 'find', 'replace']),
  tool('run_command', 'Runs a command', ['command']),
];

/** @type {import('@google/genai').Content[]} */
const stored = [{ role: 'user', parts: [{ text: TASK }] }];
for (;;) {
  // The lines that make the difference: this one,
  const contents = view === undefined ? stored : (await view.prepare(stored)).messages;
  const config = { systemInstruction: SYSTEM, tools: [{ functionDeclarations }] };
  const response = await client.models.generateContent({ model: 'agent-large', contents, config });
  // and this one.
  if (response.usageMetadata) view?.observe(response.usageMetadata);
  const content = response.candidates?.[0]?.content;
  if (content === undefined) throw new Error('an answer without a content');
  stored.push(content);
  const calls = response.functionCalls ?? [];
  if (calls.length === 0) {
    console.log(response.text);
    break;
  }
  stored.push({ role: 'user', parts: await Promise.all(calls.map(responseTo)) });
}
remove();

/** @param {import('@google/genai').FunctionCall} call @returns {Promise<import('@google/genai').Part>} */
async function responseTo({ id, name = '', args }) {
  const named = id === undefined ? { name } : { id, name };
  try {
    return { functionResponse: { ...named, response: { output: (await doing[name]?.(args)) ?? '' } } };
  } catch (error) {
    return { functionResponse: { ...named, response: { error: String(error) } } };
  }
}
