// @ts-check
/** OpenAI's Responses API, without stored responses: `…/responses`. */
import { problemsIn } from '../../../__test__/support/providers/openai-responses.mjs';
import { signatureOf } from '../../../__test__/support/providers/signatures.mjs';

/**
 * @typedef {import('../provider.mjs').Answer} Answer
 * @typedef {import('../provider.mjs').ParsedRequest} ParsedRequest
 * @typedef {import('../provider.mjs').Usage} Usage
 */

export const name = 'openai-responses';

export const takes = (/** @type {string} */ path) => path.endsWith('/responses');

/** @param {any} body @returns {ParsedRequest} */
export function read({ model, input, instructions, tools, stream }) {
  const items = typeof input === 'string' ? [{ role: 'user', content: input }] : input;
  const calls = items.filter((/** @type {any} */ { type }) => type === 'function_call');
  return {
    model,
    messages: items,
    stream: stream === true,
    prefix: [...(tools ?? []), ...(instructions ? [instructions] : []), ...items.map(withoutId)],
    turns: items.filter((/** @type {any} */ { type }) => type === 'reasoning').length,
    lastCallId: calls.at(-1)?.call_id,
  };
}

/** @param {ParsedRequest} parsed */
export const problems = ({ messages }) => problemsIn(messages);

/** @param {Answer} answer @param {Usage} usage @param {ParsedRequest} parsed */
export function body(answer, usage, { model }) {
  return {
    id: `resp_${answer.id}`,
    object: 'response',
    created_at: 0,
    status: 'completed',
    model,
    output: output(answer),
    error: null,
    incomplete_details: null,
    instructions: null,
    metadata: {},
    parallel_tool_calls: true,
    tool_choice: 'auto',
    tools: [],
    temperature: null,
    top_p: null,
    usage: {
      input_tokens: usage.total,
      input_tokens_details: { cached_tokens: usage.cached },
      output_tokens: usage.completion,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: usage.total + usage.completion,
    },
  };
}

/** @param {Answer} answer @param {Usage} usage @param {ParsedRequest} parsed */
export function events(answer, usage, parsed) {
  const response = body(answer, usage, parsed);
  const found = [
    { type: 'response.created', response: { ...response, status: 'in_progress', output: [], usage: null } },
    ...response.output.flatMap((item, output_index) => [
      { type: 'response.output_item.added', output_index, item },
      ...(item.type === 'message'
        ? [
            {
              type: 'response.output_text.delta',
              item_id: item.id,
              output_index,
              content_index: 0,
              delta: answer.text,
              logprobs: [],
            },
          ]
        : []),
      { type: 'response.output_item.done', output_index, item },
    ]),
    { type: 'response.completed', response },
  ];
  return found.map((data, sequence_number) => ({ event: data.type, data: { ...data, sequence_number } }));
}

/** @param {string} message @param {string} code */
export const error = (message, code) => ({ error: { message, type: 'invalid_request_error', param: 'input', code } });

/** Ids aren't part of the prompt: the Agents SDK removes them from calls that a session stored. @param {any} item */
const withoutId = ({ id, ...item }) => item;

/** A reasoning item comes before the item that it led to; without that item it is rejected. @param {Answer} answer @returns {any[]} */
function output({ id, text, calls }) {
  const thought = `What follows from ${id}?`;
  const reasoning = `rs_${id}`;
  const items = [
    ...(text === ''
      ? []
      : [
          {
            type: 'message',
            id: `msg_${id}`,
            role: 'assistant',
            status: 'completed',
            content: [{ type: 'output_text', text, annotations: [], logprobs: [] }],
          },
        ]),
    ...calls.map((call) => ({
      type: 'function_call',
      id: `fc_${call.id}`,
      call_id: call.id,
      name: call.name,
      arguments: JSON.stringify(call.arguments),
      status: 'completed',
    })),
  ];
  return [
    {
      type: 'reasoning',
      id: reasoning,
      summary: [{ type: 'summary_text', text: thought }],
      encrypted_content: signatureOf(thought),
    },
    ...items.map((item, index) => (index === 0 ? { ...item, id: `${item.id}_after_${reasoning}` } : item)),
  ];
}
