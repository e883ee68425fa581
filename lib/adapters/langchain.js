// @ts-check
'use strict';

const { reportSince } = require('../tokens/usage.js');
const { conversationsFrom } = require('./conversations.js');
const { isList } = require('../lists.js');
const langchain = require('../messages/dialects/langchain.js');
const { cacheControlsIn, contentWithBreakpoint } = require('./anthropic-request.js');

/** Of a middleware; a registered symbol, so LangChain need not be loaded. */ const BRAND =
  Symbol.for('AgentMiddleware');

/** A middleware that sends each conversation as its view projects it. The agent's state keeps all messages. @param {unknown} [options] */
function contextMiddleware(options) {
  const conversations = conversationsFrom(options);
  return { [BRAND]: true, name: 'palimpsest', ...conversations.publicMembers, wrapModelCall };

  /** @param {any} call @param {(call: any) => any} handler */
  async function wrapModelCall(call, handler) {
    const { systemMessage, messages, runtime, model } = call;
    // LangChain sends a non-empty system prompt before the messages.
    const system = systemMessage?.text ? [systemMessage] : [];
    const cacheControls = cacheControlsBefore(call);
    const modelName = [model?.model, model?.modelName].find((name) => typeof name === 'string');
    const details = {
      signal: runtime?.signal,
      request: call,
      model: modelName,
      fixedBreakpoints: cacheControls.length,
    };
    const request = await conversations.prepare([...system, ...messages], details);
    const sent = request.withBreakpoints(CONTENT, cacheControls);
    const [systemSent = systemMessage] = sent.slice(0, system.length);
    const prepared = { ...call, systemMessage: systemSent, messages: sent.slice(system.length) };
    const response = await request.attempt(() => handler(prepared));
    // With structured output, the response is a state that contains the messages.
    request.observe(reportSince(Array.isArray(response?.messages) ? response.messages : [response], 0));
    return response;
  }
}

/** The application's `cache_control` on tools and for the whole request. @param {any} call @returns {any[]} */
function cacheControlsBefore({ tools, modelSettings }) {
  const onTools = (isList(tools) ? tools : []).map((tool) => tool?.cache_control ?? tool?.extras?.cache_control ?? []);
  return [...onTools, modelSettings?.cache_control ?? []].flat();
}

/** A copy with `cache_control` on the last block of the content. @param {any} message @param {any} cacheControl */
function withBreakpoint(message, cacheControl) {
  const content = contentWithBreakpoint(contentOf(message), cacheControl);
  return content && langchain.fieldAccess?.copy(message, [], { content });
}

/** The content with all tool calls as blocks: LangChain would append others after the breakpoint. @param {any} message */
function contentOf({ content, tool_calls: calls }) {
  if (!isList(calls) || calls.length === 0) return content;
  const blocks = isList(content) ? content : content === '' ? [] : [{ type: 'text', text: content }];
  const blockIds = new Set(blocks.map((block) => block?.id));
  const missingCalls = calls.filter(({ id }) => !blockIds.has(id));
  return [...blocks, ...missingCalls.map(({ id, name, args }) => ({ type: 'tool_use', id, name, input: args }))];
}

/** How messages hold breakpoints: on blocks of the content, where LangChain's Anthropic model looks for them. */
const CONTENT = { cacheControlsIn: (/** @type {any} */ message) => cacheControlsIn(message?.content), withBreakpoint };

module.exports = { contextMiddleware };
