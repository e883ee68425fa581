// @ts-check
'use strict';

const { withCacheMarks } = require('./cache-marks.js');
const { readOptions } = require('./options.js');
const { asPrompt } = require('./prompt.js');

/**
 * Middleware for a language model of the AI SDK. What it makes of a prompt lasts for one request: the SDK keeps its own.
 * @param {unknown} [options]
 */
function middleware(options) {
  const { conversations, cacheControl } = readOptions(options);
  /** By the parameters that the SDK hands from one hook to the next. @type {WeakMap<object, any>} */
  const requests = new WeakMap();
  return {
    // Version 6 wants it told; the others look away.
    specificationVersion: /** @type {const} */ ('v3'),

    ...conversations.open,

    /** @param {{ params: any, model?: any }} call */
    async transformParams({ params, model }) {
      const { prompt, tools = [], abortSignal } = params;
      const ahead = tools.length === 0 ? '' : JSON.stringify(tools);
      const told = { signal: abortSignal, request: params, ahead, model: model?.modelId };
      const request = await conversations.prepare(prompt, told);
      const messages = cacheControl ? withCacheMarks(request.messages, request.breakpoints) : request.messages;
      const sent = { ...params, prompt: messages.map(asPrompt) };
      requests.set(sent, request);
      return sent;
    },

    /** @param {{ doGenerate: () => PromiseLike<any>, params: any }} call */
    async wrapGenerate({ doGenerate, params }) {
      const result = await doGenerate();
      requests.get(params)?.observe(result.usage);
      return result;
    },

    /** @param {{ doStream: () => PromiseLike<any>, params: any }} call */
    async wrapStream({ doStream, params }) {
      const result = await doStream();
      const request = requests.get(params);
      return { ...result, stream: result.stream.pipeThrough(reading((usage) => request?.observe(usage))) };
    },
  };
}

/**
 * Passes on what comes, and tells of the report at the end. A stream that is given up before has none.
 * @param {(usage: unknown) => void} tell
 */
function reading(tell) {
  return new TransformStream({
    transform(part, controller) {
      if (part?.type === 'finish') tell(part.usage);
      controller.enqueue(part);
    },
  });
}

module.exports = { middleware };
