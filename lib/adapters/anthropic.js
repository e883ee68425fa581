// @ts-check
'use strict';

const { checkOptions, isGiven, nowFrom, optional, readFlag, readName, readSignal } = require('../arguments.js');
const { listenerFrom } = require('../callbacks.js');
const { outOfRange, wrongType } = require('../errors.js');
const { OPTIONS } = require('../option-names.js');
const { safely } = require('../plain-data.js');
const { weightOfText } = require('../tokens/weight.js');
const { ContextView, viewInternals } = require('../view/context-view.js');
const { ContextViews, conversationInternals } = require('../view/context-views.js');
const { fixedPrefixOf, hasMessages, isThreaded, withMessages } = require('./anthropic-request.js');
const { priceOf, readCacheControl } = require('./cache-breakpoints.js');
const { conversationsFrom } = require('./conversations.js');

/** @typedef {{ url: string, method?: string, body?: unknown, signal?: AbortSignal | null }} ApiRequest */
/** @typedef {{ options?: object, parse(response: Response): Promise<unknown> }} Context its `parse` reads a copy */
/** @typedef {import('./conversations.js').PreparedRequest} PreparedRequest */

/** Longer error bodies are not read: they quote a rejected prompt, and the provider's own message is short. */ const MAX_ERROR_BYTES = 65_536;
/** For requests with `thread`. */ const THREAD_WARNING =
  "the server keeps this conversation's messages; only with `thread: false` is there something to simplify";

/** A middleware for Anthropic's client; it changes only requests for a message. @param {unknown} [options] */
function middleware(options) {
  const conversations = conversationsFrom(options);
  /** Keyed by the client's options object of a call, which its retries share; `body`: as the client passed it; `sent`: the body to send.
   * @type {WeakMap<object, { body: unknown, sent: string, prepared: PreparedRequest }>} */
  const preparedCalls = new WeakMap();

  /** @param {ApiRequest} request @param {any} params */
  async function prepare({ body, signal }, params) {
    const details = { signal, request: params, model: params.model, ...fixedPrefixOf(params) };
    const prepared = await conversations.prepare(params.messages, details);
    return { body, sent: JSON.stringify(withMessages(params, prepared, conversations.cacheControl)), prepared };
  }

  /** @param {ApiRequest} request @param {(request: ApiRequest) => Promise<Response>} next @param {Context} context */
  const handle = async (request, next, context) => {
    const params = paramsOf(request);
    if (params === undefined) return next(request);
    if (isThreaded(params)) {
      conversations.warnBypassing('anthropic: thread', THREAD_WARNING);
      return next(request);
    }
    const options = context.options ?? {};
    const known = preparedCalls.get(options);
    const call = known !== undefined && known.body === request.body ? known : await prepare(request, params);
    preparedCalls.set(options, call);
    return observed(await next({ ...request, body: call.sent }), context, call.prepared);
  };
  return Object.assign(handle, conversations.publicMembers);
}

/** The parameters; undefined if the request does not ask for a message. @param {ApiRequest} request @returns {any} */
function paramsOf({ url, method, body }) {
  if (method?.toUpperCase() !== 'POST' || typeof body !== 'string') return undefined;
  if (!/\/v1\/messages(\?|$)/.test(url)) return undefined;
  // A body that is not JSON is rejected by the provider.
  const params = safely(() => JSON.parse(body));
  return hasMessages(params) ? params : undefined;
}

/** Reads the response's usage or error; returns one with the same bytes. @param {Response} response @param {Context} context @param {PreparedRequest} request */
async function observed(response, context, request) {
  const { body, headers, ok, status } = response;
  if (body === null) return response;
  const type = headers.get('content-type') ?? '';
  if (ok && type.includes('text/event-stream')) return streamed(response, request);
  try {
    if (ok && type.includes('json')) request.observe(/** @type {any} */ (await context.parse(response))?.usage);
    // Only these errors state a context window; reading others would delay retries.
    const mayBeOverflow =
      status >= 400 && status < 500 && Number(headers.get('content-length') ?? 0) <= MAX_ERROR_BYTES;
    if (mayBeOverflow) request.failed({ status, body: await response.clone().text() });
  } catch {
    // The client will get the same error when it reads the body.
  }
  return response;
}

/** Reads nothing ahead of the client, and an abort reaches the provider. @param {Response} response @param {PreparedRequest} request */
function streamed(response, request) {
  const decoder = new TextDecoder();
  let rest = '';
  const passing = new TransformStream({
    transform(chunk, controller) {
      controller.enqueue(chunk);
      const lines = (rest + decoder.decode(chunk, { stream: true })).split(/\r\n|\n|\r/);
      rest = lines.pop() ?? '';
      for (const line of lines) observeLine(line, request);
    },
  });
  const copy = new Response(response.body?.pipeThrough(passing), response);
  // A constructed response has no `url`.
  Object.defineProperty(copy, 'url', { value: response.url });
  return copy;
}

/** Some gateways report usage in the last event only. @param {string} line @param {PreparedRequest} request */
function observeLine(line, request) {
  if (!line.startsWith('data:') || !line.includes('"usage"')) return;
  // Other APIs have other events.
  safely(() => {
    const event = JSON.parse(line.slice('data:'.length));
    if (event.type === 'message_start') request.observe(event.message?.usage);
    else if (event.type === 'message_delta') request.observe(event.usage);
  });
}

/** Conversations of calls without the option `view`, keyed by cache lifetime. @type {Map<string | undefined, InstanceType<typeof ContextViews>>} */
const viewsByLifetime = new Map();

/** Returns a copy of a call's parameters with the messages to send. @param {any} params @param {unknown} [options] */
async function prepareParams(params, options) {
  if (!hasMessages(params)) throw wrongType('params', 'the parameters of a request, with `messages`', params);
  if (isThreaded(params)) throw outOfRange('params.thread', 'none, or false', 'one, whose messages the server keeps');
  const checked = checkOptions(options, OPTIONS.prepareParams) ?? {};
  const cacheControl = readCacheControl(checked.cacheControl);
  const notify = listenerFrom(checked.onEvent);
  const { fixedText, fixedBreakpoints } = fixedPrefixOf(params);
  const model = typeof params.model === 'string' ? params.model : undefined;
  const { now, signal, side } = checked;
  // Checked before anything changes: a conversation is noted before its view checks them.
  optional(readSignal, 'options.signal', signal);
  optional(readFlag, 'options.side', side);
  optional(readName, 'options.conversationId', checked.conversationId);
  if (isGiven(now)) nowFrom(checked);
  const request = { side, signal, now, model };
  const details = { fixedPrefix: { tokens: weightOfText(fixedText), breakpointCount: fixedBreakpoints } };
  const { view, prepared } = await prepareInView(checked, cacheControl, params.messages, request, details);
  const { messages, compression } = prepared;
  if (compression.reason !== 'not_configured') notify({ type: 'compression', view, ...compression });
  return withMessages(params, { messages, breakpoints: cacheControl ? view.breakpoints() : [] }, cacheControl);
}

/**
 * @param {Record<string, unknown>} options those of `prepareParams` @param {import('./cache-breakpoints.js').CacheControl | undefined} cacheControl
 * @param {readonly any[]} messages @param {Record<string, unknown>} request options of `ContextView.prepare`
 * @param {import('../view/context-views.js').RequestDetails} details
 */
async function prepareInView({ view, conversationId }, cacheControl, messages, request, details) {
  if (view instanceof ContextView) {
    return { view, ...(await viewInternals.prepare(view, messages, request, details)) };
  }
  const isOfMany = view instanceof ContextViews;
  if (isGiven(view) && !isOfMany) throw wrongType('options.view', 'a ContextView or ContextViews', view);
  const key = JSON.stringify(cacheControl);
  const caching = { price: priceOf(cacheControl), marks: cacheControl !== undefined };
  const views = isOfMany ? view : (viewsByLifetime.get(key) ?? new ContextViews({ ...caching, repeated: false }));
  if (!isOfMany) viewsByLifetime.set(key, views);
  return conversationInternals.prepare(views, messages, { ...request, conversationId }, details);
}

module.exports = { middleware, prepareParams };
