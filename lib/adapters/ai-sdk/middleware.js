// @ts-check
'use strict';

const { readCachingOptions } = require('../caching-options.js');
const { cacheControlsOfTools, promptWithCacheBreakpoints } = require('./cache-breakpoints.js');

/** A middleware for the AI SDK: changes the prompt of each request. The SDK keeps its own messages. @param {unknown} [options] */
function middleware(options) {
  const { conversations, cacheControl } = readCachingOptions(options);
  /** Requests by their parameters object, which the SDK passes from one hook to the next. @type {WeakMap<object, any>} */ const requests =
    new WeakMap();
  return {
    // Version 6 requires it; other versions ignore it.
    specificationVersion: /** @type {const} */ ('v3'),

    ...conversations.publicMembers,

    /** @param {{ params: any, model?: any }} call */
    async transformParams({ params, model }) {
      const { prompt, tools = [], abortSignal } = params;
      const request = await conversations.prepare(prompt, {
        signal: abortSignal,
        request: params,
        fixedText: tools.length === 0 ? '' : JSON.stringify(tools),
        fixedBreakpoints: cacheControlsOfTools(tools).length,
        model: model?.modelId,
      });
      const sent = { ...params, prompt: promptWithCacheBreakpoints(request, cacheControl, tools) };
      requests.set(sent, request);
      return sent;
    },

    /** @param {{ doGenerate: () => PromiseLike<any>, params: any }} call */
    async wrapGenerate({ doGenerate, params }) {
      const request = requests.get(params);
      if (request === undefined) return doGenerate();
      const result = await request.attempt(doGenerate);
      request.observe(result.usage);
      return result;
    },

    /** @param {{ doStream: () => PromiseLike<any>, params: any }} call */
    async wrapStream({ doStream, params }) {
      const request = requests.get(params);
      if (request === undefined) return doStream();
      const result = await request.attempt(doStream);
      return { ...result, stream: result.stream.pipeThrough(observing(request)) };
    },
  };
}

/** Reads the usage report at the end of a stream, or its error. A cancelled stream has neither. @param {any} request */
function observing(request) {
  return new TransformStream({
    transform(part, controller) {
      if (part?.type === 'finish') request.observe(part.usage);
      if (part?.type === 'error') request.failed(part.error);
      controller.enqueue(part);
    },
  });
}

module.exports = { middleware };
