// @ts-check
'use strict';

const { jsonText } = require('../json-text.js');
const { isList } = require('../lists.js');

/**
 * Reads chat messages: OpenAI's own form (`tool_calls`, `tool_call_id`), and the same in camelCase (`toolCalls`,
 * `toolCallId`), as TypeScript hosts keep it. Whatever wants to know what a message says asks here.
 *
 * Where a message has both spellings of a field, the snake_case one holds unless it is undefined or null: that is the
 * one that a provider would see.
 *
 * Nothing here catches what a getter or a proxy throws: the caller decides what that means.
 */

/** The camelCase fields, and the request's own names for them. */
const CAMEL_CASE = Object.freeze({
  toolCalls: 'tool_calls',
  toolCallId: 'tool_call_id',
  toolName: 'tool_name',
  functionCall: 'function_call',
  isError: 'is_error',
  reasoningContent: 'reasoning_content',
});

/**
 * The calls that a message declares, as the host keeps them.
 * @param {any} message an object
 * @returns {readonly any[] | undefined}
 */
function callsOf(message) {
  const calls = message.tool_calls ?? message.toolCalls;
  return isList(calls) ? calls : undefined;
}

/** The id of the call that a `tool` message answers; a list of one id (SWE-agent's) is read, too. @param {any} message an object @returns {unknown} */
function resultIdOf(message) {
  const id = message.tool_call_id ?? message.toolCallId;
  if (id !== undefined && id !== null) return id;
  const ids = message.tool_call_ids ?? message.toolCallIds;
  return isList(ids) && ids.length === 1 ? ids[0] : undefined;
}

/** Where a call has both (OpenAI's Responses kept in chat's form), `call_id` is what results name. @param {any} call an entry of {@link callsOf} @returns {unknown} */
function callIdOf(call) {
  const callId = call?.call_id;
  return typeof callId === 'string' && callId !== '' ? callId : (call?.id ?? call?.toolCallId);
}

/** The other id of a call that has two; undefined where it has one. @param {any} call @returns {unknown} */
function otherIdOf(call) {
  const { call_id: callId, id } = call ?? {};
  return typeof callId === 'string' && callId !== '' && id !== callId ? id : undefined;
}

/**
 * The object of a call that names the tool and holds its arguments: `function` (OpenAI, Ollama), `custom` (OpenAI's free-form
 * tools), or the call itself (`{id, name, arguments}`, `{toolCallId, toolName, args}`, `{id, name, input}`).
 * @param {any} call
 */
function calleeOf(call) {
  return call?.function ?? call?.custom ?? call;
}

/** The tool's name. @param {any} callee as {@link calleeOf} gives it @returns {unknown} */
function nameOf(callee) {
  return callee?.name ?? callee?.toolName;
}

/**
 * The arguments as JSON text; undefined when there are none, or none that JSON can hold.
 * @param {any} callee as {@link calleeOf} gives it
 * @returns {string | undefined}
 */
function argumentsOf(callee) {
  const given = callee?.arguments ?? callee?.args ?? callee?.input;
  if (typeof given === 'string') return given;
  return given === null || typeof given !== 'object' ? undefined : jsonOf(given);
}

/** @param {object} value @returns {string | undefined} */
function jsonOf(value) {
  try {
    return jsonText(value);
  } catch {
    // It is cyclic, without end, or holds a BigInt or a getter that throws.
    return undefined;
  }
}

/** The one call of a message from before there were several: no result refers to it. @param {any} message */
function legacyCallOf(message) {
  return message.function_call ?? message.functionCall;
}

/** @param {any} message @returns {unknown} */
function reasoningOf(message) {
  return message.reasoning_content ?? message.reasoningContent;
}

/** Whether the message declares calls, or names the one that it answers, in camelCase. @param {any} message */
function isCamelCase(message) {
  const given = (/** @type {unknown} */ field) => field !== undefined && field !== null;
  if (given(message.tool_calls) || given(message.tool_call_id)) return false;
  return given(message.toolCalls) || given(message.toolCallId);
}

module.exports = {
  CAMEL_CASE,
  argumentsOf,
  callIdOf,
  calleeOf,
  callsOf,
  isCamelCase,
  legacyCallOf,
  nameOf,
  otherIdOf,
  reasoningOf,
  resultIdOf,
};
