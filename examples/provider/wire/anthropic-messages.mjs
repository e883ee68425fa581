// @ts-check
/** Anthropic's Messages API: `…/v1/messages`. */
import { problemsIn } from '../../../__test__/support/providers/anthropic.mjs';
import { signatureOf } from '../../../__test__/support/providers/signatures.mjs';
import { withEdits } from '../context-editing.mjs';

/**
 * @typedef {import('../provider.mjs').Answer} Answer
 * @typedef {import('../provider.mjs').ParsedRequest & { marks: number, thinks: boolean, unknown: string[] }} ParsedRequest
 * @typedef {import('../provider.mjs').Usage} Usage
 */

const MAX_BREAKPOINTS = 4;
/** Request parameters that are accepted but not used here. */
const PARAMETERS = new Set(
  'max_tokens temperature top_p top_k stop_sequences metadata tool_choice service_tier context_management container mcp_servers output_config output_format betas speed inference_geo'.split(
    ' ',
  ),
);

export const name = 'anthropic-messages';

export const takes = (/** @type {string} */ path) => path.endsWith('/v1/messages');

/** @param {any} body @returns {ParsedRequest} */
export function read({ model, messages, tools = [], system, stream, thinking, cache_control: automatic, ...body }) {
  const prompt = typeof system === 'string' ? [{ type: 'text', text: system }] : (system ?? []);
  const calls = messages.flatMap(blocksOf).filter((/** @type {any} */ { type }) => type === 'tool_use');
  const seen = withEdits(messages, body.context_management?.edits ?? []);
  const prefix = [...tools, ...prompt, ...seen.map(asOneForm)];
  const marked = prefix.flatMap((part, index) =>
    marksIn(part) > 0 || (automatic && index === prefix.length - 1) ? [index] : [],
  );
  return {
    model,
    messages,
    seen,
    stream: stream === true,
    prefix: prefix.map(unmarked),
    marked,
    turns: messages.filter((/** @type {any} */ { role }) => role === 'assistant').length,
    lastCallId: calls.at(-1)?.id,
    marks: (automatic ? 1 : 0) + marksIn(tools) + marksIn(prompt) + marksIn(messages),
    thinks: thinking?.type === 'enabled',
    unknown: Object.keys(body).filter((parameter) => !PARAMETERS.has(parameter)),
  };
}

/** @param {any} parsed */
export function problems({ messages, marks, unknown }) {
  // Claude Code's beta header allows system messages after the first message.
  const found = problemsIn(
    messages.filter((/** @type {any} */ { role }, /** @type {number} */ index) => index === 0 || role !== 'system'),
  );
  for (const field of unknown) found.push(`${field}: Extra inputs are not permitted`);
  if (marks > MAX_BREAKPOINTS)
    found.push(`A maximum of ${MAX_BREAKPOINTS} blocks with cache_control may be provided. Found ${marks}.`);
  for (const [index, message] of messages.entries()) {
    for (const field of Object.keys(message)) {
      if (field !== 'role' && field !== 'content')
        found.push(`messages.${index}.${field}: Extra inputs are not permitted`);
    }
  }
  return found;
}

/** @param {Answer} answer @param {Usage} usage @param {any} parsed */
export function body(answer, { total, cached, written = total - cached, completion }, { model, thinks }) {
  return {
    id: `msg_${answer.id}`,
    type: 'message',
    role: 'assistant',
    model,
    content: content(answer, thinks),
    stop_reason: answer.calls.length > 0 ? 'tool_use' : 'end_turn',
    stop_sequence: null,
    usage: {
      input_tokens: total - cached - written,
      cache_read_input_tokens: cached,
      cache_creation_input_tokens: written,
      output_tokens: completion,
    },
  };
}

/** @param {Answer} answer @param {Usage} usage @param {any} parsed */
export function events(answer, usage, parsed) {
  const { content: blocks, stop_reason, ...message } = body(answer, usage, parsed);
  const { output_tokens, ...prompt } = message.usage;
  const start = { ...message, content: [], stop_reason: null, usage: { ...prompt, output_tokens: 1 } };
  const found = [
    { type: 'message_start', message: start },
    ...blocks.flatMap((block, index) => [
      { type: 'content_block_start', index, content_block: shellOf(block) },
      ...deltasOf(block).map((delta) => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    ]),
    { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: { output_tokens } },
    { type: 'message_stop' },
  ];
  return found.map((data) => ({ event: data.type, data }));
}

/** @param {string} message */
export const error = (message) => ({ type: 'error', error: { type: 'invalid_request_error', message } });

/** @param {Answer} answer @param {boolean} thinks @returns {any[]} */
function content({ id, text, calls }, thinks) {
  const thinking = `What follows from ${id}?`;
  return [
    ...(thinks ? [{ type: 'thinking', thinking, signature: signatureOf(thinking) }] : []),
    ...(text === '' ? [] : [{ type: 'text', text }]),
    ...calls.map((call) => ({ type: 'tool_use', id: call.id, name: call.name, input: call.arguments })),
  ];
}

/** A content block at the start of its stream. @param {any} block */
function shellOf(block) {
  if (block.type === 'thinking') return { type: 'thinking', thinking: '', signature: '' };
  return block.type === 'text' ? { type: 'text', text: '' } : { ...block, input: {} };
}

/** @param {any} block */
function deltasOf({ type, thinking, signature, text, input }) {
  if (type === 'text') return [{ type: 'text_delta', text }];
  if (type === 'tool_use') return [{ type: 'input_json_delta', partial_json: JSON.stringify(input) }];
  return [
    { type: 'thinking_delta', thinking },
    { type: 'signature_delta', signature },
  ];
}

/** @param {any} message @returns {any[]} */
const blocksOf = ({ content }) => (typeof content === 'string' ? [{ type: 'text', text: content }] : content);

/** A plain string is short for a text block. @param {any} message */
const asOneForm = (message) => ({ ...message, content: blocksOf(message) });

/** Removes cache breakpoints: the cached content doesn't depend on them. @param {any} value @returns {any} */
const unmarked = (value) =>
  JSON.parse(JSON.stringify(value, (key, inner) => (key === 'cache_control' ? undefined : inner)));

/** Number of cache breakpoints. @param {any} value @returns {number} */
function marksIn(value) {
  if (value === null || typeof value !== 'object') return 0;
  const own = value.cache_control ? 1 : 0;
  return Object.values(value).reduce((sum, inner) => sum + marksIn(inner), own);
}
