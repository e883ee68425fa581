// @ts-check
'use strict';

/** Sets `cache_control` on blocks of the content, where LangChain's Anthropic model looks for it. */
const { isList } = require('../../lists.js');
const langchain = require('../../messages/dialects/langchain.js');
const { cacheControlsIn, contentWithBreakpoint } = require('../anthropic/cache-breakpoints.js');
const { breakpointsOf, withBreakpoints } = require('../cache-breakpoints.js');

/** @typedef {import('../cache-breakpoints.js').CacheControl} CacheControl */

/**
 * The messages to send, with cache breakpoints.
 * @param {{ messages: any[], breakpoints: readonly number[] }} request system prompt included @param {CacheControl | undefined} cacheControl undefined: set none
 * @param {readonly any[]} before the application's breakpoints on tools, or for the whole request
 */
function withCacheBreakpoints(request, cacheControl, before) {
  const { messages } = request;
  if (cacheControl === undefined) return messages;
  const existing = breakpointsOf(before, messages, (message) => cacheControlsIn(message?.content));
  return withBreakpoints(messages, { indices: request.breakpoints, existing, cacheControl, withBreakpoint });
}

/** The application's `cache_control` on tools and for the whole request. @param {any} call @returns {any[]} */
function cacheControlsBefore({ tools, modelSettings }) {
  const onTools = (isList(tools) ? tools : []).flatMap((tool) => [
    tool?.cache_control ?? tool?.extras?.cache_control ?? [],
  ]);
  return [...onTools, modelSettings?.cache_control ?? []].flat();
}

/** @param {any} message @param {CacheControl} cacheControl */
function withBreakpoint(message, cacheControl) {
  const content = contentWithBreakpoint(contentOf(message), cacheControl);
  return content && langchain.fieldAccess?.copy(message, [], { content });
}

/**
 * The content with all tool calls as blocks. LangChain appends calls that aren't in the content, and the breakpoint would not be last.
 * @param {any} message
 */
function contentOf({ content, tool_calls: calls }) {
  if (!isList(calls) || calls.length === 0) return content;
  const blocks = isList(content) ? content : content === '' ? [] : [{ type: 'text', text: content }];
  const blockIds = new Set(blocks.map((block) => block?.id));
  const missingCalls = calls.filter(({ id }) => !blockIds.has(id));
  return [...blocks, ...missingCalls.map(({ id, name, args }) => ({ type: 'tool_use', id, name, input: args }))];
}

module.exports = { cacheControlsBefore, withCacheBreakpoints };
