// @ts-check
'use strict';

const { isList, wordsOf } = require('../lists.js');
const { callsOf } = require('./chat.js');

/**
 * Detects the form of messages that are not OpenAI's chat messages. Unsupported forms are detected too, and may hold calls.
 * @typedef {'ai-sdk' | 'anthropic' | 'bedrock' | 'gemini' | 'langchain' | 'openai-agents' | 'openai-responses' | 'opencode' | 'pi' | 'other'} Form
 */

const CHAT_ROLES = new Set(wordsOf('system developer user assistant tool function'));

/** Types of parts that are calls and results in other forms. */ const TYPES_BY_FORM = {
  'ai-sdk':
    'tool-call tool-result tool-error tool-approval-request tool-approval-response tool-invocation dynamic-tool',
  anthropic: 'tool_use tool_result server_tool_use mcp_tool_use',
  pi: 'toolCall',
  bedrock: 'toolUse toolResult',
  'openai-responses': 'function_call function_call_output',
};
/** @type {Map<unknown, Form>} */ const FOREIGN_PART_TYPES = new Map();
for (const [form, types] of Object.entries(TYPES_BY_FORM))
  for (const type of wordsOf(types)) FOREIGN_PART_TYPES.set(type, /** @type {Form} */ (form));

/** Types of parts of chat messages. Such a part is supported even if it holds no readable text. */
const CHAT_PART_TYPES = new Set(
  wordsOf(`text input_text output_text thinking redacted_thinking reasoning refusal
    image image_url input_image audio input_audio video video_url file input_file document media`),
);

/** A Bedrock Converse block has no `type`, only one of these fields. */
const BEDROCK_FIELDS = wordsOf('toolUse toolResult cachePoint reasoningContent guardContent citationsContent');
/** Bedrock's media; other forms have no `source` in them. */
const BEDROCK_MEDIA = wordsOf('image document video audio');
/** Items of OpenAI's Responses API that are neither messages nor calls. */ const ITEM_TYPES = new Set([
  ...wordsOf('reasoning item_reference compaction tool_search_output'),
  ...wordsOf('mcp_list_tools mcp_approval_request mcp_approval_response'),
]);
const PI_ROLES = new Set(wordsOf('toolResult bashExecution compactionSummary branchSummary'));
/** Values of `type` in LangChain's stored forms. */
const LANGCHAIN_TYPES = new Set(wordsOf('human ai tool system function generic remove AIMessageChunk'));

/** The form of a message; null for chat messages and empty slots. @param {any} message any value @returns {Form | null} */
function formOf(message) {
  if (message === null || message === undefined) return null;
  if (typeof message !== 'object') return 'other';
  try {
    const { role } = message;
    if (!CHAT_ROLES.has(role)) return formByShape(message);
    const { content, toolInvocations, parts } = message;
    if (typeof content === 'string' && toolInvocations === undefined && parts === undefined) return null;
    if (isList(content)) return formOfParts(content);
    if (isList(toolInvocations)) return 'ai-sdk';
    if (isList(parts)) return formOfUiParts(parts, typeof content === 'string');
    return typeof content === 'object' && content !== null ? 'other' : null;
  } catch {
    return 'other';
  }
}

/** The form of a message with these parts; null if some are readable and none is foreign. @param {readonly any[]} parts @returns {Form | null} */
function formOfParts(parts) {
  let isReadable = parts.length === 0;
  for (const part of parts) {
    const form = foreignFormOf(part);
    if (form !== undefined) return form;
    isReadable ||= isReadablePart(part);
  }
  return isReadable ? null : 'other';
}

/** The form that this part gives away; undefined for a part that chat messages have too. @param {any} part @returns {Form | undefined} */
function foreignFormOf(part) {
  if (part === null || typeof part !== 'object') return undefined;
  const { type } = part;
  if (type === undefined) return isBedrockBlock(part) ? 'bedrock' : undefined;
  const form = FOREIGN_PART_TYPES.get(type);
  if (form !== undefined || typeof type !== 'string') return form;
  return type.endsWith('_tool_result') ? 'anthropic' : undefined;
}

/** @param {any} part an object without a type */
function isBedrockBlock(part) {
  if (typeof part.text === 'string' && Object.keys(part).length === 1) return true;
  const isMedia = (/** @type {string} */ field) => part[field]?.source !== undefined;
  return BEDROCK_FIELDS.some((field) => part[field] !== undefined) || BEDROCK_MEDIA.some(isMedia);
}

/** True for a text, and for a part of a chat message even without text. @param {any} part */
function isReadablePart(part) {
  if (part === null || typeof part !== 'object') return typeof part === 'string';
  return typeof part.text === 'string' || CHAT_PART_TYPES.has(part.type);
}

/** `parts`: without types in Gemini, with types in the AI SDK's UI messages; `hasText`: `content` has the text too. @param {readonly any[]} parts @param {boolean} hasText @returns {Form | null} */
function formOfUiParts(parts, hasText) {
  const types = parts.map((part) => part?.type).filter((type) => typeof type === 'string');
  if (types.some((type) => type.startsWith('tool-') || type === 'dynamic-tool')) return 'ai-sdk';
  if (hasText) return null;
  return types.length > 0 ? 'ai-sdk' : 'gemini';
}

/** @param {any} message without a chat role @returns {Form} */
function formByShape(message) {
  const { role, type } = message;
  if (typeof message._getType === 'function' || typeof message.getType === 'function') return 'langchain';
  if (message.lc_kwargs !== undefined || (message.lc !== undefined && message.kwargs !== undefined)) return 'langchain';
  if (isList(message.parts)) return typeof message.info?.role === 'string' ? 'opencode' : 'gemini';
  if (PI_ROLES.has(role)) return 'pi';
  if (role === undefined && typeof type === 'string') {
    const hasData = typeof message.data === 'object' && message.data !== null;
    const hasLangchainBody = message.content !== undefined || hasData;
    if (LANGCHAIN_TYPES.has(type) && hasLangchainBody) return 'langchain';
    if (type === 'function_call_result' || message.callId !== undefined) return 'openai-agents';
    if (message.call_id !== undefined || ITEM_TYPES.has(type) || /_call(_output)?$/.test(type))
      return 'openai-responses';
  }
  return 'other';
}

/** Names that suggest calls or results. */ const CALL_WORDS = /call|tool|function|result|output|observation|action/i;
/** Maximum count of parts to search for such names. */ const MAX_PARTS = 32;

/**
 * True if a message of no supported dialect may hold calls or results; then nothing in its turn counts as an orphan. Never throws.
 * @param {any} message @param {Form | null} form its detected form: null for a chat message, `other` for none that is known
 */
function mayHoldCalls(message, form) {
  if (form !== 'other') return form !== null;
  if (message === null || typeof message !== 'object') return false;
  try {
    const { role, content, parts } = message;
    const isChatRole = CHAT_ROLES.has(role);
    // Calls in the fields of Chat Completions are understood.
    if (isChatRole && callsOf(message) !== undefined) return false;
    if (!isChatRole && isNamedAsCall(message)) return true;
    const list = [content, parts].find(isList) ?? [content];
    return list.slice(0, MAX_PARTS).some(isNamedAsCall);
  } catch {
    return false;
  }
}

/** True if a name in a message or a part matches {@link CALL_WORDS}. @param {any} value */
function isNamedAsCall(value) {
  if (value === null || typeof value !== 'object') return false;
  const names = [value.role, value.type, value.kind, ...Object.keys(value)];
  return names.some((name) => typeof name === 'string' && CALL_WORDS.test(name));
}

/** Count of messages that no dialect can read, for each form. @typedef {Readonly<Partial<Record<Form, number>>>} FormCounts */
/** @param {Iterable<Form>} forms one for each unreadable message @returns {FormCounts} */
function countForms(forms) {
  /** @type {Partial<Record<Form, number>>} */ const counts = {};
  for (const form of forms) counts[form] = (counts[form] ?? 0) + 1;
  return Object.freeze(counts);
}

/** Count of the messages of all forms. @param {FormCounts} counts */
const totalOf = (counts) => Object.values(counts).reduce((sum, count) => sum + count, 0);

module.exports = { CHAT_PART_TYPES, foreignFormOf, formOf, mayHoldCalls, countForms, totalOf };
