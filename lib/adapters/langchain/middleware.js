// @ts-check
'use strict';

const { reportSince } = require('../../tokens/report-since.js');
const { readCachingOptions } = require('../caching-options.js');
const { cacheControlsBefore, withCacheBreakpoints } = require('./cache-breakpoints.js');

/** The brand of a middleware for `createAgent`; a registered symbol, so LangChain need not be loaded. */
const BRAND = Symbol.for('AgentMiddleware');

/**
 * Sends each conversation as its view projects it; the agent's state keeps everything.
 * @param {unknown} [options] those of `ContextViews`, and `cacheControl`
 */
function contextMiddleware(options) {
  const { conversations, cacheControl } = readCachingOptions(options);
  return { [BRAND]: true, name: 'palimpsest', ...conversations.open, wrapModelCall };

  /** @param {any} call @param {(call: any) => any} handler */
  async function wrapModelCall(call, handler) {
    const { systemMessage, messages, runtime, model } = call;
    // LangChain sends a non-empty system prompt before the messages.
    const system = systemMessage?.text ? [systemMessage] : [];
    const ahead = cacheControlsBefore(call);
    const details = { signal: runtime?.signal, request: call, model: modelName(model), marks: ahead.length };
    const request = await conversations.prepare([...system, ...messages], details);
    const sent = withCacheBreakpoints(request, cacheControl, ahead);
    const [systemSent = systemMessage] = sent.slice(0, system.length);
    const answer = await request.attempt(() =>
      handler({ ...call, systemMessage: systemSent, messages: sent.slice(system.length) }),
    );
    request.observe(reportSince(answersIn(answer), 0));
    return answer;
  }
}

/** @param {any} model @returns {string | undefined} */
function modelName(model) {
  return [model?.model, model?.modelName].find((name) => typeof name === 'string');
}

/** With structured output, the response is a state with messages. @param {any} answer */
function answersIn(answer) {
  return Array.isArray(answer?.messages) ? answer.messages : [answer];
}

module.exports = { contextMiddleware };
