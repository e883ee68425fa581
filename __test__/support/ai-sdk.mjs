// @ts-check
/** The AI SDK's three major versions with a model of the mock provider, and prompts as they are passed to middleware. */

import { createOpenAICompatible as provider7 } from '@ai-sdk/openai-compatible';
import { createOpenAICompatible as provider5 } from '@ai-sdk/openai-compatible-v5';
import { createOpenAICompatible as provider6 } from '@ai-sdk/openai-compatible-v6';
import * as v7 from 'ai';
import * as v5 from 'ai-v5';
import * as v6 from 'ai-v6';

/** @type {{ version: number, ai: any, create: (settings: any) => any }[]} */
export const VERSIONS = [
  { version: 5, ai: v5, create: provider5 },
  { version: 6, ai: v6, create: provider6 },
  { version: 7, ai: v7, create: provider7 },
];

const LONG = 'what the file says, line by line. '.repeat(40);

/** @param {string} text */
export const user = (text) => ({ role: 'user', content: [{ type: 'text', text }] });

/** @param {string} toolCallId @param {string} toolName @param {object} input @param {object} [fields] @returns {any} */
export const call = (toolCallId, toolName, input, fields) => ({
  type: 'tool-call',
  toolCallId,
  toolName,
  input,
  ...fields,
});

/** @param {string} toolCallId @param {string} toolName @param {any} output @param {object} [fields] @returns {any} */
export const result = (toolCallId, toolName, output, fields) => ({
  type: 'tool-result',
  toolCallId,
  toolName,
  output: typeof output === 'string' ? { type: 'text', value: output } : output,
  ...fields,
});

/** One read call and its result. @param {string} id @param {any} [output] @param {string} [path] */
export function read(id, output = `${LONG}${id}`, path = 'src/a.js') {
  return [
    { role: 'assistant', content: [call(id, 'read_file', { path })] },
    { role: 'tool', content: [result(id, 'read_file', output)] },
  ];
}

/** A prompt with `count` reads of one file. @param {number} count @param {string} [task] */
export function reads(count, task = 'Look at it.') {
  return [
    { role: 'system', content: 'You are an engineer.' },
    user(task),
    ...Array.from({ length: count }, (_, at) => read(`call_${at}`)).flat(),
  ];
}

/** @param {any} middleware @param {readonly any[]} prompt @returns {Promise<any[]>} the prompt sent to the provider */
export async function sentBy(middleware, prompt) {
  const { prompt: sent } = await middleware.transformParams({ type: 'generate', params: { prompt }, model: {} });
  return sent;
}

/** All text outputs of results, in order. @param {readonly any[]} messages */
export function outputs(messages) {
  const parts = messages.flatMap(({ content }) => (Array.isArray(content) ? content : []));
  return parts.filter(({ type }) => type === 'tool-result').map(({ output }) => output.value);
}

/** @template T @param {T} value @returns {T} the same value, deeply frozen */
export function frozen(value) {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(frozen);
  return value;
}
