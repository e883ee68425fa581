// @ts-check
'use strict';

const { isList } = require('../../lists.js');
const { breakpointsOf } = require('../cache-breakpoints.js');

/** Reads and sets `cache_control` in the parameters of a request to Anthropic's API. */

/** @typedef {import('../cache-breakpoints.js').CacheControl} CacheControl */

/** Block types on which the API accepts `cache_control`. */
const CACHEABLE = new Set(['text', 'image', 'document', 'search_result', 'tool_use', 'tool_result']);

/**
 * The breakpoints that the application has set.
 * @param {any} params the request @param {readonly any[]} messages as they are sent @returns {import('../cache-breakpoints.js').Breakpoint[]}
 */
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
  const last = content.findLastIndex(isCacheable);
  if (last < 0) return undefined;
  return content.map((block, index) => (index === last ? { ...block, cache_control: cacheControl } : block));
}

/** @param {any} block */
function isCacheable(block) {
  return CACHEABLE.has(block?.type) && (block.type !== 'text' || String(block.text).trim() !== '');
}

/** @param {unknown} list of tools or blocks @returns {any[]} */
function cacheControlsIn(list) {
  if (!isList(list)) return [];
  return list.flatMap((block) => [
    ...(block?.cache_control ? [block.cache_control] : []),
    ...(block?.type === 'tool_result' ? cacheControlsIn(block.content) : []),
  ]);
}

module.exports = { applicationBreakpoints, cacheControlsIn, contentWithBreakpoint, withBreakpoint };
