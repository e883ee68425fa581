// @ts-check
'use strict';

const { isList } = require('../../lists.js');
const { withBreakpoints } = require('../cache-breakpoints.js');
const { breakpointsIn, cacheControlsIn, withBreakpoint } = require('./cache-breakpoints.js');

/** @typedef {import('../cache-breakpoints.js').CacheControl} CacheControl */

/** True if the server keeps the conversation and receives only new messages. @param {any} params */
function isThreaded({ thread }) {
  return thread !== undefined && thread !== null && thread !== false;
}

/** @param {any} params */
function hasMessages(params) {
  return params !== null && typeof params === 'object' && isList(params.messages);
}

/** @param {any} params @param {{ messages: readonly any[], breakpoints: readonly number[] }} prepared @param {CacheControl | undefined} cacheControl */
function withMessages(params, prepared, cacheControl) {
  const { messages, breakpoints: places } = prepared;
  if (cacheControl === undefined) return { ...params, messages };
  const existing = breakpointsIn(params, messages);
  return { ...params, messages: withBreakpoints(messages, { places, existing, cacheControl, withBreakpoint }) };
}

/** System prompt and tools as text without breakpoints, and the number of breakpoints. @param {any} params */
function aheadOf({ system, tools, cache_control }) {
  const written = [system, tools].filter((part) => part !== undefined && part !== null);
  const marks = [...cacheControlsIn(tools), ...cacheControlsIn(system)].length + (cache_control ? 1 : 0);
  if (written.length === 0) return { ahead: '', marks };
  return { ahead: JSON.stringify(written, (key, value) => (key === 'cache_control' ? undefined : value)), marks };
}

module.exports = { aheadOf, hasMessages, isThreaded, withMessages };
