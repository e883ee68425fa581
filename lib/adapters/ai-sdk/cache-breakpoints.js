// @ts-check
'use strict';

const { breakpointsOf, withBreakpoints } = require('../cache-breakpoints.js');

/** Reads and sets Anthropic's cache breakpoints in messages of the AI SDK, and converts the messages to a prompt. */

/** @typedef {import('../cache-breakpoints.js').CacheControl} CacheControl */

/**
 * The messages to send, with cache breakpoints.
 * @param {{ messages: any[], breakpoints: readonly number[] }} request @param {CacheControl | undefined} cacheControl undefined: set none
 * @param {readonly any[]} [tools] the application's breakpoints on them count towards the limit
 */
function withCacheBreakpoints(request, cacheControl, tools = []) {
  const { messages } = request;
  if (cacheControl === undefined) return messages;
  const existing = breakpointsOf(cacheControlsOfTools(tools), messages, cacheControlsIn);
  return withBreakpoints(messages, { indices: request.breakpoints, existing, cacheControl, withBreakpoint });
}

/**
 * As `withCacheBreakpoints`, for a prompt: a prompt needs parts where messages may have text, as a summary does.
 * @param {{ messages: any[], breakpoints: readonly number[] }} request @param {CacheControl | undefined} cacheControl @param {readonly any[]} [tools]
 */
function promptWithCacheBreakpoints(request, cacheControl, tools) {
  return withCacheBreakpoints(request, cacheControl, tools).map((message) => {
    if (typeof message?.content !== 'string' || message.role === 'system') return message;
    return { ...message, content: [{ type: 'text', text: message.content }] };
  });
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

module.exports = { cacheControlsOfTools, promptWithCacheBreakpoints, withCacheBreakpoints };
