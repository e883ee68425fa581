// @ts-check
'use strict';

const { reportSince } = require('../../tokens/usage.js');
const { readCachingOptions } = require('../caching-options.js');
const { cacheControlsBefore, withCacheBreakpoints } = require('./cache-breakpoints.js');

/** The brand of a middleware for `createAgent`; a registered symbol, so LangChain need not be loaded. */
const BRAND = Symbol.for('AgentMiddleware');

/**
 * A middleware for LangChain's agents: sends each conversation as its view projects it. The agent's state keeps all messages.
 * @param {unknown} [options] those of `ContextViews`, and `cacheControl`
 */
function contextMiddleware(options) {
  const { conversations, cacheControl } = readCachingOptions(options);
  return { [BRAND]: true, name: 'palimpsest', ...conversations.publicMembers, wrapModelCall };

  /** @param {any} call @param {(call: any) => any} handler */
  async function wrapModelCall(call, handler) {
    const { systemMessage, messages, runtime, model } = call;
    // LangChain sends a non-empty system prompt before the messages.
    const system = systemMessage?.text ? [systemMessage] : [];
    const cacheControls = cacheControlsBefore(call);
    const fixedBreakpoints = cacheControls.length;
    const details = { signal: runtime?.signal, request: call, model: modelName(model), fixedBreakpoints };
    const request = await conversations.prepare([...system, ...messages], details);
    const sent = withCacheBreakpoints(request, cacheControl, cacheControls);
    const [systemSent = systemMessage] = sent.slice(0, system.length);
    const response = await request.attempt(() =>
      handler({ ...call, systemMessage: systemSent, messages: sent.slice(system.length) }),
    );
    request.observe(reportSince(messagesIn(response), 0));
    return response;
  }
}

/** @param {any} model @returns {string | undefined} */
function modelName(model) {
  return [model?.model, model?.modelName].find((name) => typeof name === 'string');
}

/** The response's messages. With structured output, it is a state that contains them. @param {any} response */
function messagesIn(response) {
  return Array.isArray(response?.messages) ? response.messages : [response];
}

module.exports = { contextMiddleware };
