// @ts-check
'use strict';

const { jsonText, safely } = require('../plain-data.js');
const { isList } = require('../lists.js');

/**
 * Reads chat messages in OpenAI's form (`tool_calls`) or in camelCase (`toolCalls`), as TypeScript applications keep them. If a message has both
 * spellings of a field, the snake_case one wins unless it is undefined or null, because providers read that one. Throws what a getter throws.
 */

/** The camelCase fields, and their names in a request. */
const CAMEL_CASE = Object.freeze({
  toolCalls: 'tool_calls',
  toolCallId: 'tool_call_id',
  toolName: 'tool_name',
  functionCall: 'function_call',
  isError: 'is_error',
  reasoningContent: 'reasoning_content',
});

/** The tool calls that a message declares, unchanged. @param {any} message an object @returns {readonly any[] | undefined} */
function callsOf(message) {
  const calls = message.tool_calls ?? message.toolCalls;
  return isList(calls) ? calls : undefined;
}

/** The call id of a `tool` message; SWE-agent has it in a list of one. @param {any} message an object @returns {unknown} */
function resultIdOf(message) {
  const id = message.tool_call_id ?? message.toolCallId;
  if (id !== undefined && id !== null) return id;
  const ids = message.tool_call_ids ?? message.toolCallIds;
  return isList(ids) && ids.length === 1 ? ids[0] : undefined;
}

/** The id that results refer to: `call_id` if a call also has `id` (Responses API). @param {any} call an entry of {@link callsOf} @returns {unknown} */
function callIdOf(call) {
  const callId = call?.call_id;
  return typeof callId === 'string' && callId !== '' ? callId : (call?.id ?? call?.toolCallId);
}

/** The other id of a call with two ids; otherwise undefined. @param {any} call @returns {unknown} */
function otherIdOf(call) {
  const { call_id: callId, id } = call ?? {};
  return typeof callId === 'string' && callId !== '' && id !== callId ? id : undefined;
}

/** The object with a call's tool name and arguments: `function` (OpenAI, Ollama), `custom` (OpenAI's free-form tools), or the call itself. @param {any} call */
const calleeOf = (call) => call?.function ?? call?.custom ?? call;
/** The tool's name. @param {any} callee as returned by {@link calleeOf} @returns {unknown} */
const nameOf = (callee) => callee?.name ?? callee?.toolName;

/** The arguments as JSON text; undefined without any. @param {any} callee as returned by {@link calleeOf} @returns {string | undefined} */
function argumentsOf(callee) {
  const input = inputOf(callee);
  if (typeof input === 'string') return input;
  // JSON can't represent a value that is cyclic or too deep, or has a BigInt or a getter that throws.
  return input === null || typeof input !== 'object' ? undefined : safely(() => jsonText(input));
}

/** A call's arguments as the message has them: text or an object. @param {any} callee as returned by {@link calleeOf} @returns {any} */
function inputOf(callee) {
  return callee?.arguments ?? callee?.args ?? callee?.input;
}

/** The call in OpenAI's old form, which has no call ids. @param {any} message */
const legacyCallOf = (message) => message.function_call ?? message.functionCall;
/** @param {any} message @returns {unknown} */
const reasoningOf = (message) => message.reasoning_content ?? message.reasoningContent;

/** True if the message has its calls or its call id in camelCase. @param {any} message */
function isCamelCase(message) {
  const hasSnakeCase = (message.tool_calls ?? message.tool_call_id ?? null) !== null;
  return !hasSnakeCase && (message.toolCalls ?? message.toolCallId ?? null) !== null;
}

module.exports = {
  CAMEL_CASE,
  argumentsOf,
  callIdOf,
  calleeOf,
  callsOf,
  inputOf,
  isCamelCase,
  legacyCallOf,
  nameOf,
  otherIdOf,
  reasoningOf,
  resultIdOf,
};
