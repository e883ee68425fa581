// @ts-check
'use strict';

const { isList } = require('../lists.js');

/**
 * Detects messages of other forms than OpenAI's chat messages. Unsupported forms are detected too, so that they are not taken for empty messages.
 *
 * @typedef {'ai-sdk' | 'anthropic' | 'bedrock' | 'gemini' | 'langchain' | 'openai-agents' | 'openai-responses' | 'opencode' | 'pi' | 'other'} Form
 */

const CHAT_ROLES = new Set(['system', 'developer', 'user', 'assistant', 'tool', 'function']);

/** Types of parts that are calls and results in other forms. @type {Map<unknown, Form>} */
const FOREIGN_PARTS = new Map(
  /** @type {[Form, string][]} */ ([
    [
      'ai-sdk',
      'tool-call tool-result tool-error tool-approval-request tool-approval-response tool-invocation dynamic-tool',
    ],
    ['anthropic', 'tool_use tool_result server_tool_use mcp_tool_use'],
    ['pi', 'toolCall'],
    ['bedrock', 'toolUse toolResult'],
    ['openai-responses', 'function_call function_call_output'],
  ]).flatMap(([form, types]) => types.split(' ').map((type) => /** @type {const} */ ([type, form]))),
);

/** Types of parts of chat messages. Such a part is supported even if it holds no readable text. */
const CHAT_PART_TYPES = new Set(
  [
    'text input_text output_text thinking redacted_thinking reasoning refusal',
    'image image_url input_image audio input_audio video video_url file input_file document media',
  ].flatMap((types) => types.split(' ')),
);

/** A Bedrock Converse block has no `type`, only one of these fields. */
const BEDROCK_FIELDS = ['toolUse', 'toolResult', 'cachePoint', 'reasoningContent', 'guardContent', 'citationsContent'];
/** Fields of a Bedrock block with media; in other forms they have no `source`. */
const BEDROCK_MEDIA = ['image', 'document', 'video', 'audio'];

/** Items of OpenAI's Responses API that are neither messages nor calls. */
const ITEM_TYPES = new Set(
  'reasoning item_reference compaction mcp_list_tools mcp_approval_request mcp_approval_response tool_search_output'.split(
    ' ',
  ),
);

/** Roles that only pi has. */
const PI_ROLES = new Set(['toolResult', 'bashExecution', 'compactionSummary', 'branchSummary']);

/** Values of `type` in LangChain's stored forms. */
const LANGCHAIN_TYPES = new Set(['human', 'ai', 'tool', 'system', 'function', 'generic', 'remove', 'AIMessageChunk']);

/**
 * The form of a message; null for chat messages and empty slots.
 * @param {any} message any value in the application's array
 * @returns {Form | null}
 */
function formOf(message) {
  if (message === null || message === undefined) return null;
  if (typeof message !== 'object') return 'other';
  try {
    const { role } = message;
    if (!CHAT_ROLES.has(role)) return formByShape(message);
    const { content, toolInvocations, parts } = message;
    if (toolInvocations === undefined && parts === undefined && (typeof content !== 'object' || content === null)) {
      return null;
    }
    return formOfContent(content, toolInvocations, parts);
  } catch {
    return 'other';
  }
}

/**
 * @param {unknown} content of a message with a chat role
 * @param {unknown} toolInvocations
 * @param {unknown} parts
 * @returns {Form | null}
 */
function formOfContent(content, toolInvocations, parts) {
  if (isList(content)) return formOfParts(content);
  if (isList(toolInvocations)) return 'ai-sdk';
  if (isList(parts)) return formOfUiParts(parts, typeof content === 'string');
  return typeof content === 'object' && content !== null ? 'other' : null;
}

/**
 * @param {readonly any[]} parts of a message in chat form
 * @returns {Form | null} null if there are none, or some are readable and none is of another form
 */
function formOfParts(parts) {
  let isReadable = parts.length === 0;
  for (const part of parts) {
    const form = foreignFormOf(part);
    if (form !== undefined) return form;
    isReadable ||= isReadablePart(part);
  }
  return isReadable ? null : 'other';
}

/** The form to which only this part belongs; undefined for a part of a chat message. @param {any} part @returns {Form | undefined} */
function foreignFormOf(part) {
  if (part === null || typeof part !== 'object') return undefined;
  const { type } = part;
  if (type === undefined) return isBedrockBlock(part) ? 'bedrock' : undefined;
  const form = FOREIGN_PARTS.get(type);
  if (form !== undefined || typeof type !== 'string') return form;
  return type.endsWith('_tool_result') ? 'anthropic' : undefined;
}

/** @param {any} part without a type */
function isBedrockBlock(part) {
  if (typeof part.text === 'string' && Object.keys(part).length === 1) return true;
  const isMedia = (/** @type {string} */ field) => part[field]?.source !== undefined;
  return BEDROCK_FIELDS.some((field) => part[field] !== undefined) || BEDROCK_MEDIA.some(isMedia);
}

/** @param {any} part */
function isReadablePart(part) {
  if (part === null || typeof part !== 'object') return typeof part === 'string';
  return typeof part.text === 'string' || CHAT_PART_TYPES.has(part.type);
}

/**
 * Form of a message with `parts`: Gemini's parts have no type, those of the AI SDK's UI messages do.
 * @param {readonly any[]} parts
 * @param {boolean} hasText the text is also in `content`
 * @returns {Form | null}
 */
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

module.exports = { CHAT_PART_TYPES, CHAT_ROLES, foreignFormOf, formOf };
