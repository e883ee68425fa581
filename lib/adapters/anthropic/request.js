// @ts-check
'use strict';

const { isList } = require('../../lists.js');
const { withBreakpoints } = require('../cache-breakpoints.js');
const { applicationBreakpoints, cacheControlsIn, withBreakpoint } = require('./cache-breakpoints.js');

/** Reads the parameters of a request to Anthropic's API, and puts the messages to send into them. */

/** @typedef {import('../cache-breakpoints.js').CacheControl} CacheControl */

/** True if the server keeps the conversation and receives only new messages. @param {any} params */
function isThreaded({ thread }) {
  return thread !== undefined && thread !== null && thread !== false;
}

/** @param {any} params */
function hasMessages(params) {
  return params !== null && typeof params === 'object' && isList(params.messages);
}

/**
 * A copy of the parameters with the messages to send, and with breakpoints on them if `cacheControl` is given.
 * @param {any} params @param {{ messages: readonly any[], breakpoints: readonly number[] }} prepared @param {CacheControl | undefined} cacheControl
 */
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

module.exports = { fixedPrefixOf, hasMessages, isThreaded, withMessages };
