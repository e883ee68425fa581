// @ts-check
'use strict';

const { isList } = require('../lists.js');
const { withBreakpoints, breakpointsOf } = require('./cache-breakpoints.js');

/**
 * Reads the parameters of a request to Anthropic's API, and puts the messages to send and their cache breakpoints (`cache_control`) into them.
 * @typedef {import('./cache-breakpoints.js').CacheControl} CacheControl
 */

/** Block types on which the API accepts `cache_control`. */
const CACHEABLE = new Set(['text', 'image', 'document', 'search_result', 'tool_use', 'tool_result']);

/** True if the server keeps the conversation and receives only new messages. @param {any} params */
const isThreaded = ({ thread }) => thread !== undefined && thread !== null && thread !== false;

/** @param {any} params */
const hasMessages = (params) => params !== null && typeof params === 'object' && isList(params.messages);

/** @param {any} params @param {Pick<import('./conversations.js').PreparedRequest, 'messages' | 'breakpoints'>} prepared @param {CacheControl | undefined} cacheControl */
function withMessages(params, { messages, breakpoints: indices }, cacheControl) {
  if (cacheControl === undefined) return { ...params, messages };
  const existing = applicationBreakpoints(params, messages);
  return { ...params, messages: withBreakpoints(messages, { indices, existing, cacheControl, withBreakpoint }) };
}

/** System prompt and tools as text without breakpoints, and the count of breakpoints. @param {any} params */
function fixedPrefixOf({ system, tools, cache_control }) {
  const parts = [system, tools].filter((part) => part !== undefined && part !== null);
  const fixedBreakpoints = [...cacheControlsIn(tools), ...cacheControlsIn(system)].length + (cache_control ? 1 : 0);
  const withoutBreakpoints = (/** @type {string} */ key, /** @type {unknown} */ value) =>
    key === 'cache_control' ? undefined : value;
  return { fixedText: parts.length === 0 ? '' : JSON.stringify(parts, withoutBreakpoints), fixedBreakpoints };
}

/** The breakpoints that the application has set. @param {any} params the request @param {readonly any[]} messages as they are sent */
function applicationBreakpoints({ tools, system, cache_control }, messages) {
  return breakpointsOf([...cacheControlsIn(tools), ...cacheControlsIn(system)], messages, (message, index) => [
    ...cacheControlsIn(message?.content),
    // With this option, the API itself sets a breakpoint on the last block.
    ...(cache_control && index === messages.length - 1 ? [cache_control] : []),
  ]);
}

/** A copy with a breakpoint on the last block that accepts one; undefined if none does. @param {any} message @param {CacheControl} cacheControl */
function withBreakpoint(message, cacheControl) {
  const content = contentWithBreakpoint(message?.content, cacheControl);
  return content && { ...message, content };
}

/** As `withBreakpoint`, for the content of a message. @param {unknown} content @param {CacheControl} cacheControl @returns {any[] | undefined} */
function contentWithBreakpoint(content, cacheControl) {
  if (typeof content === 'string') {
    return content.trim() === '' ? undefined : [{ type: 'text', text: content, cache_control: cacheControl }];
  }
  if (!isList(content)) return undefined;
  const hasText = (/** @type {any} */ { type, text }) => type !== 'text' || String(text).trim() !== '';
  const last = content.findLastIndex((block) => CACHEABLE.has(block?.type) && hasText(block));
  if (last < 0) return undefined;
  return content.map((block, index) => (index === last ? { ...block, cache_control: cacheControl } : block));
}

/** The `cache_control` values in a list. @param {unknown} list of tools or blocks @returns {any[]} */
function cacheControlsIn(list) {
  if (!isList(list)) return [];
  return list.flatMap((block) => [
    ...(block?.cache_control ? [block.cache_control] : []),
    ...(block?.type === 'tool_result' ? cacheControlsIn(block.content) : []),
  ]);
}

module.exports = {
  applicationBreakpoints,
  cacheControlsIn,
  contentWithBreakpoint,
  fixedPrefixOf,
  hasMessages,
  isThreaded,
  withBreakpoint,
  withMessages,
};
