// @ts-check
'use strict';

const { readCachingOptions } = require('../caching-options.js');
const { fixedPrefixOf, hasMessages, isThreaded, withMessages } = require('./request.js');
const { observed } = require('./usage.js');

/** @typedef {{ url: string, method?: string, body?: unknown, signal?: AbortSignal | null }} ApiRequest */
/** @typedef {{ options?: object, parse(response: Response): Promise<unknown> }} Context */
/** @typedef {{ body: unknown, sent: string, observe: (usage: unknown) => void, failed: (error: unknown) => void }} Prepared `body`: as the client passed it; `sent`: the body to send */

/** A warning about requests with `thread`. */
const THREAD_WARNING =
  "the server keeps this conversation's messages; only with `thread: false` is there something to simplify";

/** A middleware for Anthropic's client; it changes only requests for a message. @param {unknown} [options] */
function middleware(options) {
  const { conversations, cacheControl } = readCachingOptions(options);
  /** Prepared requests, keyed by the client's options object of a call, which its retries share. @type {WeakMap<object, Prepared>} */
  const preparedCalls = new WeakMap();

  /** @param {ApiRequest} request @param {any} params @returns {Promise<Prepared>} */
  async function prepare({ body, signal }, params) {
    const details = { signal, request: params, model: params.model, ...fixedPrefixOf(params) };
    const request = await conversations.prepare(params.messages, details);
    const sent = JSON.stringify(withMessages(params, request, cacheControl));
    return { body, sent, observe: (usage) => request.observe(usage), failed: request.failed };
  }

  const handle = async (
    /** @type {ApiRequest} */ request,
    /** @type {(request: ApiRequest) => Promise<Response>} */ next,
    /** @type {Context} */ context,
  ) => {
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
    const parse = (/** @type {Response} */ each) => context.parse(each);
    return observed(response, parse, prepared);
  };
  return Object.assign(handle, conversations.publicMembers);
}

/** The parameters; undefined if the request does not ask for a message. @param {ApiRequest} request @returns {any} */
function paramsOf({ url, method, body }) {
  if (method?.toUpperCase() !== 'POST' || typeof body !== 'string') return undefined;
  if (!/\/v1\/messages(\?|$)/.test(url)) return undefined;
  const params = parsed(body);
  return hasMessages(params) ? params : undefined;
}

/** @param {string} body */
function parsed(body) {
  try {
    return JSON.parse(body);
  } catch {
    // The provider will reject it.
    return undefined;
  }
}

module.exports = { middleware };
