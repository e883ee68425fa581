// @ts-check
'use strict';

const { isObject, jsonText, safely } = require('../plain-data.js');
const { isList } = require('../lists.js');

/**
 * Reads chat messages in OpenAI's form (`tool_calls`) or in camelCase (`toolCalls`), and the times of all messages. If a message has both spellings of
 * a field, the snake_case one wins unless it is undefined or null, because providers read that one. Throws what a getter throws.
 */

/** The camelCase fields, and their names in a request. */ const CAMEL_CASE = Object.freeze({
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
const inputOf = (callee) => callee?.arguments ?? callee?.args ?? callee?.input;

/** The call in OpenAI's old form, which has no call ids. @param {any} message */
const legacyCallOf = (message) => message.function_call ?? message.functionCall;
/** @param {any} message @returns {unknown} */
const reasoningOf = (message) => message.reasoning_content ?? message.reasoningContent;

/** True if the message has its calls or its call id in camelCase. @param {any} message */
function isCamelCase(message) {
  const hasSnakeCase = (message.tool_calls ?? message.tool_call_id ?? null) !== null;
  return !hasSnakeCase && (message.toolCalls ?? message.toolCallId ?? null) !== null;
}

/** Checked first, because `Date.parse` reads `"5"` as a day in May. */ const ISO_DATE = /^\d{4}-\d{2}-\d{2}(?:$|[T ])/;

/**
 * The time of a message as a number: milliseconds, or the unit of the application's number (the core detects it); NaN without a time. A string without a
 * zone is local time, as usual in JavaScript. Other fields are read only if `timestamp` is undefined or null.
 * @param {any} message an object; errors of its getters are thrown @returns {number}
 */
function timeOf(message) {
  const { timestamp } = message;
  if (typeof timestamp === 'number') return timestamp;
  if (timestamp !== undefined && timestamp !== null) return timeFrom(timestamp);
  const time = message.createdAt ?? message.created_at ?? message.ts;
  return time === undefined ? Number.NaN : timeFrom(time);
}

/** @param {unknown} time @returns {number} */
function timeFrom(time) {
  if (typeof time === 'number') return time;
  if (typeof time === 'string') return ISO_DATE.test(time) ? Date.parse(time) : Number.NaN;
  // Not `instanceof`, which fails for a `Date` of another realm, such as a test runner or a frame.
  const date = isObject(time) ? safely(() => Date.prototype.getTime.call(time)) : undefined;
  return date ?? Number.NaN;
}

/** {@link timeOf} for any value: NaN if it isn't an object or throws. @param {unknown} message */
const timeOfAny = (message) => (isObject(message) ? safely(() => timeOf(message)) : undefined) ?? Number.NaN;

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
  timeOf,
  timeOfAny,
};
