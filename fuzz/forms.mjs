// @ts-check
/** The forms in which agents store messages, converted from OpenAI's. Every text contains a marker that must not appear in any log. */

import { countTokens } from '../__test__/support/compressed-host.mjs';
import { Scribe } from '../__test__/support/random-sessions.mjs';

/** Contained in every message: output that contains it leaks content. */
export const MARK = 'zq7 mark';

export const FORMS = ['openai', 'openai', 'anthropic', 'anthropic', 'responses', 'gemini', 'ai-sdk'];

/** Forms whose calls and results compression recognises. For others it only guarantees that nothing is lost. */
export const READ_FORMS = new Set(['openai', 'anthropic']);

/** @param {any} value @returns {any} the value with the marker in every text */
function marked(value) {
  if (Array.isArray(value)) return value.map(marked);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const isText = typeof inner === 'string' && ['content', 'text', 'filePath'].includes(key);
      return [key, isText ? `${inner} ${MARK}` : marked(inner)];
    }),
  );
}

/** @param {any} call */
const inputOf = (call) => JSON.parse(call.function.arguments);

/** Converts an OpenAI message to other forms. @type {Record<string, (message: any) => any[]>} */
const TRANSLATIONS = {
  openai: (message) => [message],
  anthropic: (message) => [message],
  responses({ role, content, tool_calls = [], tool_call_id, ...rest }) {
    if (role === 'tool') return [{ type: 'function_call_output', call_id: tool_call_id, output: content }];
    const type = role === 'assistant' ? 'output_text' : 'input_text';
    return [
      { ...rest, type: 'message', role, content: [{ type, text: content }] },
      ...tool_calls.map((/** @type {any} */ call) => ({
        type: 'function_call',
        call_id: call.id,
        name: call.function.name,
        arguments: call.function.arguments,
      })),
    ];
  },
  gemini({ role, content, tool_calls = [], tool_call_id, ...rest }) {
    if (role === 'tool') {
      const functionResponse = { id: tool_call_id, name: 'filesystem-read', response: { output: content } };
      return [{ role: 'user', parts: [{ functionResponse }] }];
    }
    const calls = tool_calls.map((/** @type {any} */ call) => ({
      functionCall: { id: call.id, name: call.function.name, args: inputOf(call) },
    }));
    return [{ ...rest, role: role === 'assistant' ? 'model' : role, parts: [{ text: content }, ...calls] }];
  },
  'ai-sdk'({ role, content, tool_calls = [], tool_call_id, ...rest }) {
    if (role === 'tool') {
      const output = { type: 'text', value: content };
      return [
        { role, content: [{ type: 'tool-result', toolCallId: tool_call_id, toolName: 'filesystem-read', output }] },
      ];
    }
    if (role !== 'assistant') return [{ ...rest, role, content }];
    const calls = tool_calls.map((/** @type {any} */ call) => ({
      type: 'tool-call',
      toolCallId: call.id,
      toolName: call.function.name,
      input: inputOf(call),
    }));
    return [{ ...rest, role, content: [{ type: 'text', text: content }, ...calls] }];
  },
};

/** Writes turns in one of the {@link FORMS}. */
export class Writer {
  #scribe;

  /** @param {string} form */
  constructor(form) {
    this.form = form;
    this.#scribe = new Scribe(form === 'anthropic' ? 'anthropic' : 'openai', countTokens);
  }

  /** @param {any} plan @param {readonly any[]} before @returns {any[]} */
  write(plan, before) {
    return this.#scribe.write(plan, before).flatMap((message) => this.translate(message));
  }

  /** @param {any} message */
  translate(message) {
    return TRANSLATIONS[this.form]?.(marked(message)) ?? [];
  }

  get inFlight() {
    return this.#scribe.inFlight.flatMap((message) => this.translate(message));
  }

  forget() {
    this.#scribe.forget();
  }
}

/** The ids of a message's calls and results, in any form. @param {any} message */
export function pairing(message) {
  /** @type {unknown[]} */
  const declares = [];
  /** @type {unknown[]} */
  const answers = [];
  for (const call of list(message?.tool_calls)) declares.push(call?.id);
  if (message?.role === 'tool' && !Array.isArray(message.content)) answers.push(message.tool_call_id);
  if (message?.type === 'function_call') declares.push(message.call_id);
  if (message?.type === 'function_call_output') answers.push(message.call_id);
  for (const part of [...list(message?.content), ...list(message?.parts)]) {
    if (part?.type === 'tool_use') declares.push(part.id);
    if (part?.type === 'tool_result') answers.push(part.tool_use_id);
    if (part?.type === 'tool-call') declares.push(part.toolCallId);
    if (part?.type === 'tool-result') answers.push(part.toolCallId);
    if (part?.functionCall) declares.push(part.functionCall.id);
    if (part?.functionResponse) answers.push(part.functionResponse.id);
  }
  return { declares: ids(declares), answers: ids(answers) };
}

/** @param {unknown} value @returns {any[]} */
function list(value) {
  return Array.isArray(value) ? value : [];
}

/** @param {unknown[]} found @returns {string[]} */
function ids(found) {
  return /** @type {string[]} */ (found.filter((id) => typeof id === 'string' && id !== ''));
}
