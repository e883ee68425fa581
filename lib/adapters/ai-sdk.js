// @ts-check
'use strict';

const { conversationsFrom } = require('./conversations.js');

/** @typedef {{ stored: readonly any[], sent: readonly any[], request: any }} Step `sent`: what was sent for the messages `stored` */

/** How many steps of a run are kept: a restarted stream requests the same step twice. */ const KEPT_STEPS = 2;

/** A middleware for the AI SDK: changes the prompt of each request. The SDK keeps its own messages. @param {unknown} [options] */
function middleware(options) {
  const conversations = conversationsFrom(options);
  /** Requests by their parameters object, which the SDK passes from one hook to the next. @type {WeakMap<object, any>} */
  const requests = new WeakMap();
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
        fixedBreakpoints: tools.flatMap(cacheControlOn).length,
        model: model?.modelId,
      });
      const sent = { ...params, prompt: promptOf(request, tools) };
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

/** Creates a function for `prepareStep`. @param {unknown} [options] */
function prepareStep(options) {
  const conversations = conversationsFrom(options);
  /** Newest steps first, keyed by the SDK's list of a run. @type {WeakMap<object, Step[]>} */ const runs =
    new WeakMap();

  const prepare = async (/** @type {{ messages: any[], steps: any[], model?: any }} */ step) => {
    const { messages, steps, model } = step;
    const earlier = runs.get(steps) ?? [];
    earlier[0]?.request.observe(steps.at(-1)?.usage);
    const stored = storedOf(messages, earlier);
    const details = { request: step, model: typeof model === 'string' ? model : model?.modelId };
    const request = await conversations.prepare(stored, details);
    const sent = request.withBreakpoints(PROVIDER_OPTIONS);
    runs.set(steps, [{ stored, sent, request }, ...earlier].slice(0, KEPT_STEPS));
    return { messages: sent };
  };
  return Object.assign(prepare, conversations.publicMembers);
}

/** The stored messages of a step. From version 7 on, the SDK's messages begin with those sent for an earlier step. @param {readonly any[]} messages @param {readonly Step[]} earlier */
function storedOf(messages, earlier) {
  const previous = earlier.find(({ sent }) => sent.every((message, index) => message === messages[index]));
  return previous === undefined ? messages : [...previous.stored, ...messages.slice(previous.sent.length)];
}

/** The messages to send: a prompt needs parts instead of text. @param {import('./conversations.js').PreparedRequest} request @param {readonly any[]} [tools] */
function promptOf(request, tools = []) {
  return request.withBreakpoints(PROVIDER_OPTIONS, tools.flatMap(cacheControlOn)).map((message) => {
    if (typeof message?.content !== 'string' || message.role === 'system') return message;
    return { ...message, content: [{ type: 'text', text: message.content }] };
  });
}

/** The application's breakpoint on a tool, a message or a part of one; the SDK's provider accepts both spellings. @param {any} holder @returns {any[]} */
function cacheControlOn(holder) {
  const { cacheControl, cache_control } = holder?.providerOptions?.anthropic ?? {};
  return [cacheControl ?? cache_control ?? []].flat();
}

/** @param {any} message @returns {any[]} */
function cacheControlsIn(message) {
  const parts = Array.isArray(message?.content) ? message.content : [];
  const inParts = parts.flatMap((/** @type {any} */ part) => {
    const { output } = part;
    const pieces = output?.type === 'content' && Array.isArray(output.value) ? output.value : [];
    // The provider reads only one breakpoint of a result's output.
    return [...cacheControlOn(part), ...[output, ...pieces].flatMap(cacheControlOn).slice(0, 1)];
  });
  return [...cacheControlOn(message), ...inParts];
}

/** @param {any} message @param {import('./cache-breakpoints.js').CacheControl} cacheControl */
function withBreakpoint(message, cacheControl) {
  const { providerOptions } = message;
  const anthropic = { ...providerOptions?.anthropic, cacheControl };
  return { ...message, providerOptions: { ...providerOptions, anthropic } };
}

/** How messages hold breakpoints. */ const PROVIDER_OPTIONS = { cacheControlsIn, withBreakpoint };

module.exports = { middleware, prepareStep, promptOf };
