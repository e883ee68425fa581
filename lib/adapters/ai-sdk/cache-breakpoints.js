// @ts-check
'use strict';

const { breakpointsOf, withBreakpoints } = require('../cache-breakpoints.js');

/** @typedef {import('../cache-breakpoints.js').CacheControl} CacheControl */

/**
 * @param {{ messages: any[], breakpoints: readonly number[] }} request @param {CacheControl | undefined} cacheControl undefined: set none
 * @param {readonly any[]} [tools] the application's breakpoints on them count towards the limit
 */
function withCacheBreakpoints(request, cacheControl, tools = []) {
  const { messages } = request;
  if (cacheControl === undefined) return messages;
  const existing = breakpointsOf(cacheControlsOfTools(tools), messages, cacheControlsIn);
  return withBreakpoints(messages, { places: request.breakpoints, existing, cacheControl, withBreakpoint });
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
