// @ts-check
'use strict';

const { readCachingOptions } = require('../caching-options.js');
const { fixedPrefixOf, hasMessages, isThreaded, withMessages } = require('./request.js');
const { observed } = require('./usage.js');

/** @typedef {{ url: string, method?: string, body?: unknown, signal?: AbortSignal | null }} ApiRequest */
/** @typedef {{ options?: object, parse(response: Response): Promise<unknown> }} Context */
/** @typedef {{ body: unknown, sent: string, observe: (usage: unknown) => void, failed: (error: unknown) => void }} Attempt */

const THREAD =
  "the server keeps this conversation's messages; only with `thread: false` is there something to simplify";

/** A middleware for Anthropic's client; it changes only requests for a message. @param {unknown} [options] */
function middleware(options) {
  const { conversations, cacheControl } = readCachingOptions(options);
  /** Attempts by the client's options object of a call, which its retries share. @type {WeakMap<object, Attempt>} */ const attempts =
    new WeakMap();

  /** @param {ApiRequest} request @param {any} params @returns {Promise<Attempt>} */
  async function attempted({ body, signal }, params) {
    const details = { signal, request: params, model: params.model, ...fixedPrefixOf(params) };
    const prepared = await conversations.prepare(params.messages, details);
    const sent = JSON.stringify(withMessages(params, prepared, cacheControl));
    return { body, sent, observe: (usage) => prepared.observe(usage), failed: prepared.failed };
  }

  const handle = async (
    /** @type {ApiRequest} */ request,
    /** @type {(request: ApiRequest) => Promise<Response>} */ next,
    /** @type {Context} */ context,
  ) => {
    const params = paramsOf(request);
    if (params === undefined) return next(request);
    if (isThreaded(params)) {
      conversations.warnBypassing('anthropic: thread', THREAD);
      return next(request);
    }
    const call = context.options ?? {};
    const known = attempts.get(call);
    const attempt = known !== undefined && known.body === request.body ? known : await attempted(request, params);
    attempts.set(call, attempt);
    const response = await next({ ...request, body: attempt.sent });
    const parse = (/** @type {Response} */ each) => context.parse(each);
    return observed(response, parse, attempt);
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
