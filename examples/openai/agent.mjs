// @ts-check
/** An agent that uses OpenAI's SDK, which has no hook. If `PRICE` is set, it prepares its requests with palimpsest. */
import OpenAI from 'openai';
import { ContextView } from 'palimpsest';
import { workshop } from '../agent/tools.mjs';
import { SYSTEM, TASK } from '../agent/work.mjs';

/** @typedef {OpenAI.Responses.ResponseInputItem} Item */

const { PROVIDER_URL, PRICE } = process.env;
const client = new OpenAI({ baseURL: `${PROVIDER_URL}/v1`, apiKey: 'none', maxRetries: 0 });
const view = PRICE ? new ContextView({ price: /** @type {any} */ (PRICE) }) : undefined;

const { read, edit, run, remove } = workshop();
/** @type {Record<string, (input: any) => string | Promise<string>>} */
const doing = { read_file: read, edit_file: edit, run_command: run };
/** @param {string} name @param {string} description @param {string[]} fields @returns {OpenAI.Responses.FunctionTool} */
const tool = (name, description, fields) => ({
  type: 'function',
  name,
  description,
  strict: true,
  parameters: {
    type: 'object',
    properties: Object.fromEntries(fields.map((field) => [field, { type: 'string' }])),
    required: fields,
    additionalProperties: false,
  },
});
const tools = [
  tool('read_file', 'Reads a file', ['path']),
  tool('edit_file', 'Replaces a text in a file', ['path', 'find', 'replace']),
  tool('run_command', 'Runs a command', ['command']),
];

/** @type {Item[]} */
const items = [{ role: 'user', content: TASK }];
for (;;) {
  // The lines that make the difference: this one,
  const input = view === undefined ? items : (await view.prepare(items)).messages;
  const response = await client.responses.create({
    model: 'agent-large',
    instructions: SYSTEM,
    store: false,
    include: ['reasoning.encrypted_content'],
    input,
    tools,
  });
  // and this one.
  if (response.usage) view?.observe(response.usage);
  items.push(.../** @type {Item[]} */ (response.output));
  const calls = response.output.filter((item) => item.type === 'function_call');
  if (calls.length === 0) {
    console.log(response.output_text);
    break;
  }
  items.push(...(await Promise.all(calls.map(outputOf))));
}
remove();

/** @param {OpenAI.Responses.ResponseFunctionToolCall} call @returns {Promise<Item>} */
async function outputOf({ call_id, name, arguments: given }) {
  const item = /** @type {const} */ ({ type: 'function_call_output', call_id });
  try {
    return { ...item, output: (await doing[name]?.(JSON.parse(given))) ?? '' };
  } catch (error) {
    return { ...item, output: String(error) };
  }
}
