// @ts-check
'use strict';

const { breakpointsOf, withBreakpoints } = require('../cache-breakpoints.js');

/** @typedef {import('../cache-breakpoints.js').CacheControl} CacheControl */

/**
 * @param {readonly any[]} messages
 * @param {readonly number[]} places
 * @param {CacheControl} cacheControl
 * @param {readonly any[]} [tools] the application's breakpoints on them count towards the limit
 * @returns {any[]}
 */
function withCacheBreakpoints(messages, places, cacheControl, tools = []) {
  const existing = breakpointsOf(cacheControlsOfTools(tools), messages, cacheControlsIn);
  return withBreakpoints(messages, { places, existing, cacheControl, withBreakpoint });
}

/** @param {readonly any[]} tools */
const cacheControlsOfTools = (tools) => tools.flatMap(cacheControlOn);

/** The SDK's provider accepts both spellings. @param {any} holder @returns {any[]} */
function cacheControlOn(holder) {
  const { cacheControl, cache_control } = holder?.providerOptions?.anthropic ?? {};
  return [cacheControl ?? cache_control ?? []].flat();
}

/** @param {any} message */
function cacheControlsIn(message) {
  const parts = Array.isArray(message?.content) ? message.content : [];
  return [
    ...cacheControlOn(message),
    ...parts.flatMap((/** @type {any} */ part) => [...cacheControlOn(part), ...cacheControlsOfOutput(part)]),
  ];
}

/** The provider reads only one breakpoint of a result's output. @param {any} part */
function cacheControlsOfOutput({ output }) {
  const parts = output?.type === 'content' && Array.isArray(output.value) ? output.value : [];
  return [...cacheControlOn(output), ...parts.flatMap(cacheControlOn)].slice(0, 1);
}

/** @param {any} message @param {CacheControl} cacheControl */
function withBreakpoint(message, cacheControl) {
  const { providerOptions } = message;
  const anthropic = { ...providerOptions?.anthropic, cacheControl };
  return { ...message, providerOptions: { ...providerOptions, anthropic } };
}

module.exports = { cacheControlsOfTools, withCacheBreakpoints };
