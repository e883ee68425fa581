// @ts-check
'use strict';

const { safely } = require('../../plain-data.js');
const { conversationsFrom } = require('../conversations.js');
const { fixedPrefixOf, hasMessages, isThreaded, withMessages } = require('./request.js');

/**
 * @typedef {{ url: string, method?: string, body?: unknown, signal?: AbortSignal | null }} ApiRequest
 * @typedef {{ options?: object, parse(response: Response): Promise<unknown> }} Context
 * @typedef {(usage: unknown) => void} Observe
 * @typedef {{ observe: Observe, failed: (error: unknown) => void }} Reporting what to call with a response's usage, or with its error
 * @typedef {{ body: unknown, sent: string } & Reporting} Prepared `body`: as the client passed it; `sent`: the body to send
 */

/** Longer error bodies are not read: they quote a rejected prompt, and the provider's own message is short. */
const MAX_ERROR_BYTES = 65_536;
/** For requests with `thread`. */
const THREAD_WARNING =
  "the server keeps this conversation's messages; only with `thread: false` is there something to simplify";

/** A middleware for Anthropic's client; it changes only requests for a message. @param {unknown} [options] */
function middleware(options) {
  const conversations = conversationsFrom(options);
  /** Prepared requests, keyed by the client's options object of a call, which its retries share. @type {WeakMap<object, Prepared>} */
  const preparedCalls = new WeakMap();

  /** @param {ApiRequest} request @param {any} params @returns {Promise<Prepared>} */
  async function prepare({ body, signal }, params) {
    const details = { signal, request: params, model: params.model, ...fixedPrefixOf(params) };
    const request = await conversations.prepare(params.messages, details);
    const sent = JSON.stringify(withMessages(params, request, conversations.cacheControl));
    return { body, sent, observe: (usage) => request.observe(usage), failed: request.failed };
  }

  /**
   * @param {ApiRequest} request @param {(request: ApiRequest) => Promise<Response>} next @param {Context} context
   * @returns {Promise<Response>}
   */
  const handle = async (request, next, context) => {
    const params = paramsOf(request);
    if (params === undefined) return next(request);
    if (isThreaded(params)) {
      conversations.warnBypassing('anthropic: thread', THREAD_WARNING);
      return next(request);
    }
    const call = context.options ?? {};
    const known = preparedCalls.get(call);
    const prepared = known !== undefined && known.body === request.body ? known : await prepare(request, params);
    preparedCalls.set(call, prepared);
    const response = await next({ ...request, body: prepared.sent });
    return observed(response, context, prepared);
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

/**
 * Reads the usage report or the error in a response. The bytes are passed to the client unchanged.
 * @param {Response} response @param {Context} context its `parse` reads a copy @param {Reporting} request
 * @returns {Promise<Response>} the same response, or one with the same bytes
 */
async function observed(response, context, { observe, failed }) {
  const { body, headers, status } = response;
  if (body === null) return response;
  const type = headers.get('content-type') ?? '';
  if (response.ok && type.includes('text/event-stream')) return streamed(response, body, observe);
  try {
    if (response.ok && type.includes('json')) observe(/** @type {any} */ (await context.parse(response))?.usage);
    // Only these errors state a context window; reading others would delay retries.
    const mayBeOverflow =
      status >= 400 && status < 500 && Number(headers.get('content-length') ?? 0) <= MAX_ERROR_BYTES;
    if (mayBeOverflow) failed({ status, body: await response.clone().text() });
  } catch {
    // The client will get the same error when it reads the body.
  }
  return response;
}

/**
 * Passes the bytes through as the client reads them: nothing is read ahead, and an abort reaches the provider.
 * @param {Response} response @param {ReadableStream<Uint8Array>} body @param {Observe} observe
 */
function streamed(response, body, observe) {
  const decoder = new TextDecoder();
  let rest = '';
  const passing = new TransformStream({
    transform(chunk, controller) {
      controller.enqueue(chunk);
      const lines = (rest + decoder.decode(chunk, { stream: true })).split(/\r\n|\n|\r/);
      rest = lines.pop() ?? '';
      for (const line of lines) observeLine(line, observe);
    },
  });
  const copy = new Response(body.pipeThrough(passing), response);
  // A constructed response has no `url`.
  Object.defineProperty(copy, 'url', { value: response.url });
  return copy;
}

/** Some gateways report usage in the last event only. @param {string} line @param {Observe} observe */
function observeLine(line, observe) {
  if (!line.startsWith('data:') || !line.includes('"usage"')) return;
  // Other APIs have other events.
  safely(() => {
    const event = JSON.parse(line.slice('data:'.length));
    if (event.type === 'message_start') observe(event.message?.usage);
    else if (event.type === 'message_delta') observe(event.usage);
  });
}

module.exports = { middleware };
