// @ts-check
'use strict';

const { isList } = require('../../lists.js');
const { breakpointsOf } = require('../cache-breakpoints.js');

/** @typedef {import('../cache-breakpoints.js').CacheControl} CacheControl */

/** Block types on which the API accepts `cache_control`. */
const CACHEABLE = new Set(['text', 'image', 'document', 'search_result', 'tool_use', 'tool_result']);

/** @param {any} params the request @param {readonly any[]} messages as they are sent @returns {import('../cache-breakpoints.js').Breakpoint[]} */
function breakpointsIn({ tools, system, cache_control }, messages) {
  return breakpointsOf([...cacheControlsIn(tools), ...cacheControlsIn(system)], messages, (message, place) => [
    ...cacheControlsIn(message?.content),
    // With this option, the API itself sets a breakpoint on the last block.
    ...(cache_control && place === messages.length - 1 ? [cache_control] : []),
  ]);
}

/** Sets a breakpoint on the last block that accepts one. @param {any} message @param {CacheControl} cacheControl */
function withBreakpoint(message, cacheControl) {
  const content = contentWithBreakpoint(message?.content, cacheControl);
  return content && { ...message, content };
}

/** @param {unknown} content @param {CacheControl} cacheControl @returns {any[] | undefined} */
function contentWithBreakpoint(content, cacheControl) {
  if (typeof content === 'string') {
    return content.trim() === '' ? undefined : [{ type: 'text', text: content, cache_control: cacheControl }];
  }
  if (!isList(content)) return undefined;
  const at = content.findLastIndex(isCacheable);
  if (at < 0) return undefined;
  return content.map((block, index) => (index === at ? { ...block, cache_control: cacheControl } : block));
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

module.exports = { breakpointsIn, cacheControlsIn, contentWithBreakpoint, withBreakpoint };
