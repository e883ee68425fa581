// @ts-check
/** OpenAI's chat completions and compatible APIs: `…/chat/completions`. */
import { problemsIn } from '../../../__test__/support/providers/openai-chat.mjs';

/**
 * @typedef {import('../provider.mjs').Answer} Answer
 * @typedef {import('../provider.mjs').ParsedRequest} ParsedRequest
 * @typedef {import('../provider.mjs').Usage} Usage
 */

const ROLES = new Set(['system', 'developer', 'user', 'assistant', 'tool']);
/** Message fields. Compatible servers also accept the model's reasoning. */
const FIELDS = new Set('role content name tool_calls tool_call_id refusal audio reasoning_content'.split(' '));

/** Request parameters; unknown ones get a 400. */
const PARAMETERS = new Set(
  [
    'model messages stream stream_options max_tokens max_completion_tokens temperature top_p n stop seed user store metadata',
    'tools tool_choice parallel_tool_calls functions function_call response_format reasoning_effort verbosity modalities audio',
    'frequency_penalty presence_penalty logit_bias logprobs top_logprobs prediction prompt_cache_key prompt_cache_retention',
    'safety_identifier service_tier web_search_options',
  ].flatMap((names) => names.split(' ')),
);

export const name = 'openai-chat';

export const takes = (/** @type {string} */ path) => path.endsWith('/chat/completions');

/** @param {any} body @returns {ParsedRequest & { unknown: string[] }} */
export function read({ model, messages, tools, stream, ...more }) {
  const calls = messages.flatMap((/** @type {any} */ message) => message.tool_calls ?? []);
  return {
    model,
    messages,
    stream: stream === true,
    prefix: [...(tools ?? []), ...messages],
    turns: messages.filter((/** @type {any} */ { role }) => role === 'assistant').length,
    lastCallId: calls.at(-1)?.id,
    unknown: Object.keys(more).filter((parameter) => !PARAMETERS.has(parameter)),
  };
}

/** @param {any} parsed */
export function problems({ messages, unknown }) {
  const refused = unknown.map((/** @type {string} */ field) => `Unrecognized request argument supplied: ${field}`);
  return [...refused, ...messages.flatMap(unknownFields), ...problemsIn(messages)];
}

/** Finds fields that the API's reference doesn't define. @param {any} message @param {number} index @returns {string[]} */
function unknownFields(message, index) {
  const path = `messages[${index}]`;
  const unknown = Object.keys(message).filter((field) => !FIELDS.has(field));
  const found = unknown.map((field) => `${path}: Unrecognized request argument supplied: ${field}`);
  if (!ROLES.has(message.role)) found.push(`${path}: no role of this API`);
  const isEmpty = message.content === undefined || message.content === null;
  if (isEmpty && !message.tool_calls?.length) found.push(`${path}: neither content nor calls`);
  return found;
}

/** @param {Answer} answer @param {Usage} usage @param {ParsedRequest} parsed */
export function body(answer, usage, { model }) {
  const message = {
    role: 'assistant',
    content: answer.text,
    ...(answer.calls.length > 0 && { tool_calls: calls(answer) }),
  };
  const choices = [{ index: 0, message, finish_reason: reason(answer), logprobs: null }];
  return {
    id: answer.id,
    object: 'chat.completion',
    created: 0,
    model: `${model}-2026-01`,
    choices,
    usage: usageReport(usage),
  };
}

/** @param {Answer} answer @param {Usage} usage @param {ParsedRequest} parsed */
export function events(answer, usage, { model }) {
  const chunk = (/** @type {object[]} */ choices, /** @type {object | null} */ usageOrNull) => ({
    data: { id: answer.id, object: 'chat.completion.chunk', created: 0, model, choices, usage: usageOrNull },
  });
  const delta = (/** @type {object} */ part) => chunk([{ index: 0, delta: part, finish_reason: null }], null);
  return [
    delta({ role: 'assistant', content: answer.text }),
    ...calls(answer).map((call, index) => delta({ tool_calls: [{ index, ...call }] })),
    chunk([{ index: 0, delta: {}, finish_reason: reason(answer) }], null),
    chunk([], usageReport(usage)),
    { data: '[DONE]' },
  ];
}

/** @param {string} message @param {string} code */
export const error = (message, code) => ({ error: { message, type: 'invalid_request_error', param: null, code } });

/** @param {Answer} answer */
const reason = ({ calls }) => (calls.length > 0 ? 'tool_calls' : 'stop');

/** @param {Answer} answer */
function calls({ calls }) {
  return calls.map(({ id, name, arguments: given }) => ({
    id,
    type: 'function',
    function: { name, arguments: JSON.stringify(given) },
  }));
}

/** @param {Usage} usage */
function usageReport({ total, cached, completion }) {
  return {
    prompt_tokens: total,
    completion_tokens: completion,
    total_tokens: total + completion,
    prompt_tokens_details: { cached_tokens: cached },
  };
}
