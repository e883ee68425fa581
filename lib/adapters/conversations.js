// @ts-check
'use strict';

const { isGiven, optional, readFlag, readText, checkOptions } = require('../arguments.js');
const { wrongType } = require('../errors.js');
const { deliverEvents, logOnce } = require('../log.js');
const { parseContextLengthError } = require('../results/context-length-error.js');
const { viewInternals } = require('../view/context-view.js');
const { listenerFrom } = require('../callbacks.js');
const { ContextViews, conversationInternals } = require('../view/context-views.js');
const { weightOfText } = require('../tokens/weight.js');
const { OPTIONS } = require('../option-names.js');
const { priceOf, readCacheControl } = require('./cache-breakpoints.js');

/**
 * @typedef {InstanceType<typeof import('../view/context-view.js').ContextView>} View
 * `request`: the SDK's, for the application's functions of it; `model`: its id; `fixedText`: system prompt and tools, if they
 * are not messages; `fixedBreakpoints`: count of cache breakpoints on it; `countInherited`: for a new view of a named
 * conversation, how many of its requests another ledger already counts.
 * @typedef {{ signal?: AbortSignal | null | undefined, request?: unknown, model?: string, fixedText?: string,
 *   fixedBreakpoints?: number, countInherited?: () => number }} RequestDetails
 */

/** The conversations of one adapter, interleaved: assigns each request to the view that it continues, and each usage report to its request. */
class Conversations {
  #idOf;
  #isSide;
  #notify;
  #compresses;
  /** Keys of the warnings about bypassing requests that were already given. @type {Set<string>} */
  #givenWarnings = new Set();

  /** @param {Record<string, unknown> | undefined} [options] those of `ContextViews`, and the option that names a request's conversation */
  constructor(options) {
    const { conversationId, side, onEvent, ...rest } = options ?? {};
    this.#idOf = readPerRequest('options.conversationId', conversationId, readText);
    this.#isSide = readPerRequest('options.side', side, readFlag);
    this.#notify = listenerFrom(onEvent);
    this.#compresses = isGiven(rest.compression);
    if (isGiven(rest.store) && !isGiven(conversationId)) {
      throw wrongType('options.conversationId', 'a name or a function of the request beside a store', conversationId);
    }
    // How models handle references has not been measured, so adapters use them only if the option is set.
    this.views = new ContextViews({ ...rest, repeated: rest.repeated ?? false, onEvent: this.#notify });
  }

  /** Includes conversations that were forgotten, because there were too many. */
  ledger() {
    return this.views.ledger();
  }

  /** The public members of each adapter in addition to its hook. */
  get publicMembers() {
    return { ledger: () => this.ledger(), views: this.views };
  }

  /** @param {readonly any[]} messages the whole conversation; never written to @param {RequestDetails} [details] */
  async prepare(messages, details = {}) {
    const { signal, request, model = '', fixedText = '', fixedBreakpoints = 0, countInherited } = details;
    const side = this.#isSide(request) ?? false;
    const modelOption = model === '' ? {} : { model };
    const options = { conversationId: this.#idOf(request), side, signal: signal ?? null, ...modelOption };
    const fixedPrefix = { tokens: weightOfText(fixedText), breakpointCount: fixedBreakpoints };
    const preparing = conversationInternals.prepare(this.views, messages, options, { fixedPrefix, countInherited });
    const { view, prepared, sent } = await preparing;
    if (this.#compresses) this.#notify({ type: 'compression', view, ...prepared.compression });
    return new Request(prepared.messages, sent, view, (error) => this.#noteFailure(view, error, modelOption));
  }

  /** Records an undecided request, sent like the previous one after this adapter failed. @param {readonly any[]} messages */
  recordUndecided(messages) {
    conversationInternals.recordUndecided(this.views, messages, { conversationId: this.#idOf(undefined) });
  }

  /** Learns the context window's size from a request's error. @param {View} view @param {unknown} error @param {{ model?: string }} modelOption */
  #noteFailure(view, error, modelOption) {
    const overflow = parseContextLengthError(error);
    if (overflow === null) return;
    const windowTokens = view.noteOverflow(error, modelOption);
    this.#notify({ type: 'overflow', view, error: overflow, windowTokens });
  }

  /** Reports once that requests bypass this adapter. @param {string} key of the warning @param {string} message what to do about it */
  warnBypassing(key, message) {
    if (this.#givenWarnings.has(key)) return;
    this.#givenWarnings.add(key);
    logOnce(key, () => deliverEvents([{ level: 'warn', message, fields: [] }]));
    this.#notify({ type: 'unseen', message });
  }
}

/** A prepared request, to which its usage report is assigned. */
class Request {
  #view;
  #requestNumber;
  #breakpoints;
  #isReported = false;

  /**
   * @param {any[]} messages to send @param {import('../view/context-view.js').Sent} sent @param {View} view
   * @param {(error: unknown) => void} failed learns from the request's error
   */
  constructor(messages, sent, view, failed) {
    this.failed = failed;
    this.messages = messages;
    /** The messages with the application's own fields, which no API accepts. */
    this.projected = sent.messages;
    this.#requestNumber = sent.requestNumber;
    this.#breakpoints = sent.breakpoints;
    this.#view = view;
  }

  /** Indices of the messages that get a cache breakpoint. */
  get breakpoints() {
    const indices = this.#breakpoints ?? this.#view.breakpoints();
    return indices.filter((index) => index < this.messages.length);
  }

  /** True if outdated results are still sent. */
  get isPending() {
    return this.#view.plan().pending.length > 0;
  }

  /** Runs `work` and learns from its error. @template T @param {() => PromiseLike<T> | T} work @returns {Promise<T>} */
  async attempt(work) {
    try {
      return await work();
    } catch (error) {
      this.failed(error);
      throw error;
    }
  }

  /** Records the provider's first usage report, in any format, even if it arrives late. @param {unknown} usage */
  observe(usage) {
    if (this.#isReported || typeof usage !== 'object' || usage === null) return;
    this.#isReported = viewInternals.observe(this.#view, this.#requestNumber, usage);
  }
}

/**
 * Reads an option that is a constant, or a function of the SDK's request.
 * @template T @param {string} name @param {unknown} value @param {(name: string, value: unknown) => T} read
 * @returns {(request: unknown) => T | undefined}
 */
function readPerRequest(name, value, read) {
  if (typeof value === 'function') return (request) => optional(read, `what ${name} returned`, value(request));
  if (isGiven(value) && typeof value === 'object') throw wrongType(name, 'a value or a function of the request', value);
  const constant = optional(read, name, value);
  return () => constant;
}

/**
 * Reads the options of an adapter that can set Anthropic's cache breakpoints. @param {unknown} options
 * @returns {{ conversations: InstanceType<typeof Conversations>, cacheControl: import('./cache-breakpoints.js').CacheControl | undefined }}
 */
function readCachingOptions(options) {
  const { cacheControl: given, ...rest } = checkOptions(options, OPTIONS.markedAdapter) ?? {};
  const cacheControl = readCacheControl(given);
  if (cacheControl === undefined) return { conversations: new Conversations(rest), cacheControl };
  const caching = { price: rest.price ?? priceOf(cacheControl), marks: rest.marks ?? true };
  return { conversations: new Conversations({ ...rest, ...caching }), cacheControl };
}

module.exports = { Conversations, readCachingOptions };
