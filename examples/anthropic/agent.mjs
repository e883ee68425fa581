// @ts-check
/** An agent that uses Anthropic's SDK with streaming. If `PRICE` is set, it uses palimpsest. */
import Anthropic from '@anthropic-ai/sdk';
import { middleware } from 'palimpsest/anthropic';
import { workshop } from '../agent/tools.mjs';
import { SYSTEM, TASK } from '../agent/work.mjs';

const { PROVIDER_URL, PRICE } = process.env;
const client = new Anthropic({
  baseURL: `${PROVIDER_URL}`,
  apiKey: 'none',
  maxRetries: 0,
  // The line that makes the difference:
  ...(PRICE && {
    middleware: [middleware({ price: /** @type {any} */ (PRICE), arrivalTimes: true, cacheControl: true })],
  }),
});

const { read, edit, run, remove } = workshop();
/** @type {Record<string, (input: any) => string | Promise<string>>} */
const doing = { read_file: read, edit_file: edit, run_command: run };
const text = { type: 'string' };
/** @param {string} name @param {string} description @param {string[]} fields @returns {Anthropic.Tool} */
const tool = (name, description, fields) => ({
  name,
  description,
  input_schema: {
    type: 'object',
    properties: Object.fromEntries(fields.map((field) => [field, text])),
    required: fields,
  },
});
const tools = [
  tool('read_file', 'Reads a file', ['path']),
  tool('edit_file', 'Replaces a text in a file', ['path', 'find', 'replace']),
  tool('run_command', 'Runs a command', ['command']),
];

/** @type {Anthropic.MessageParam[]} */
const messages = [{ role: 'user', content: TASK }];
/** @type {Anthropic.Message} */
let message;
do {
  const thinking = /** @type {const} */ ({ type: 'enabled', budget_tokens: 1024 });
  const request = { model: 'agent-large', max_tokens: 4096, system: SYSTEM, thinking, tools, messages };
  // Without palimpsest, ask the API to cache up to the end of each request.
  const cached = PRICE ? {} : { cache_control: /** @type {const} */ ({ type: 'ephemeral' }) };
  message = await client.messages.stream({ ...request, ...cached }).finalMessage();
  messages.push({ role: 'assistant', content: message.content });
  const calls = message.content.filter((block) => block.type === 'tool_use');
  if (calls.length > 0) messages.push({ role: 'user', content: await Promise.all(calls.map(resultOf)) });
} while (message.stop_reason === 'tool_use');
console.log(message.content.at(-1));
remove();

/** @param {Anthropic.ToolUseBlock} call @returns {Promise<Anthropic.ToolResultBlockParam>} */
async function resultOf({ id, name, input }) {
  const result = /** @type {const} */ ({ type: 'tool_result', tool_use_id: id });
  try {
    return { ...result, content: await doing[name]?.(input) };
  } catch (error) {
    return { ...result, content: String(error), is_error: true };
  }
}
