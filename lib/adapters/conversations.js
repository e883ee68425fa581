// @ts-check
'use strict';

const { checkOptions, isGiven, optional, readFlag, readName } = require('../arguments.js');
const { wrongType } = require('../errors.js');
const { OPTIONS } = require('../option-names.js');
const { deliverEvents, logOnce } = require('../log.js');
const { parseContextLengthError } = require('../results/context-length-error.js');
const { viewInternals } = require('../view/context-view.js');
const { listenerFrom } = require('../callbacks.js');
const { ContextViews, conversationInternals } = require('../view/context-views.js');
const { weightOfText } = require('../tokens/weight.js');
const { breakpointsOf, priceOf, readCacheControl, withBreakpoints } = require('./cache-breakpoints.js');

/**
 * @typedef {InstanceType<typeof import('../view/context-view.js').ContextView>} View
 * @typedef {import('./cache-breakpoints.js').CacheControl} CacheControl
 * @typedef {InstanceType<typeof Request>} PreparedRequest
 *
 * `request`: the SDK's, for the application's functions of it; `fixedText`: system prompt and tools, if they are not messages;
 * `fixedBreakpoints`: their cache breakpoints; `countInherited`: of a named conversation's requests, how many another ledger counts.
 * @typedef {{ signal?: AbortSignal | null | undefined, request?: unknown, model?: string, fixedText?: string,
 *   fixedBreakpoints?: number, countInherited?: () => number }} RequestDetails
 */

/** The conversations of one adapter, interleaved: assigns each request to the view that it continues, and each usage report to its request. */
class Conversations {
  #idOf;
  #isSide;
  #notify;
  #compresses;
  /** Keys of the warnings about bypassing requests. @type {Set<string>} */ #givenWarnings = new Set();

  /** @param {Record<string, unknown> | undefined} [options] those of `ContextViews`, of a request, and `cacheControl` */
  constructor(options) {
    const { conversationId, side, onEvent, cacheControl, ...rest } = options ?? {};
    /** The cache breakpoints to set; undefined for none. */ this.cacheControl = readCacheControl(cacheControl);
    this.#idOf = readPerRequest('options.conversationId', conversationId, readName);
    this.#isSide = readPerRequest('options.side', side, readFlag);
    this.#notify = listenerFrom(onEvent);
    this.#compresses = isGiven(rest.compression);
    if (isGiven(rest.store) && !isGiven(conversationId)) {
      throw wrongType('options.conversationId', 'a name or a function of the request beside a store', conversationId);
    }
    // How models handle references has not been measured, so adapters use them only if the option is set.
    const viewOptions = { ...rest, repeated: rest.repeated ?? false, onEvent: this.#notify };
    const caching = { price: rest.price ?? priceOf(this.cacheControl), marks: rest.marks ?? true };
    this.views = new ContextViews({ ...viewOptions, ...(this.cacheControl && caching) });
  }

  /** Includes conversations that were dropped, because there were too many. */
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
    const failed = (/** @type {unknown} */ error) => {
      const overflow = parseContextLengthError(error);
      if (overflow === null) return;
      this.#notify({ type: 'overflow', view, error: overflow, windowTokens: view.noteOverflow(error, modelOption) });
    };
    return new Request({ messages: prepared.messages, sent, view, failed, cacheControl: this.cacheControl });
  }

  /** Records an undecided request, sent like the previous one after this adapter failed. @param {readonly any[]} messages */
  recordUndecided(messages) {
    conversationInternals.recordUndecided(this.views, messages, { conversationId: this.#idOf(undefined) });
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
  #prepared;
  #isReported = false;

  /**
   * @param {{ messages: any[], sent: import('../view/context-view.js').Sent, view: View, failed: (error: unknown) => void,
   *   cacheControl: CacheControl | undefined }} prepared `failed` learns from the request's error
   */
  constructor(prepared) {
    this.#prepared = prepared;
    this.failed = prepared.failed;
    this.messages = prepared.messages;
    /** With the application's own fields, which no API accepts. */ this.projected = prepared.sent.messages;
  }

  /** Indices of the messages that get a cache breakpoint. */
  get breakpoints() {
    const { sent, view } = this.#prepared;
    return (sent.breakpoints ?? view.breakpoints()).filter((index) => index < this.messages.length);
  }

  /**
   * The messages with cache breakpoints, if the option `cacheControl` is set.
   * @param {import('./cache-breakpoints.js').Form} form how the SDK's messages hold them @param {readonly any[]} [before] as in `breakpointsOf`
   */
  withBreakpoints({ cacheControlsIn, withBreakpoint }, before = []) {
    const { cacheControl } = this.#prepared;
    if (cacheControl === undefined) return this.messages;
    const existing = breakpointsOf(before, this.messages, cacheControlsIn);
    return withBreakpoints(this.messages, { indices: this.breakpoints, existing, cacheControl, withBreakpoint });
  }

  get isPending() {
    return this.#prepared.view.plan().pending.length > 0;
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
    const { sent, view } = this.#prepared;
    this.#isReported = viewInternals.observe(view, sent.sentNumber, usage);
  }
}

/**
 * Reads an option that is a constant, or a function of the SDK's request. @template T @param {string} name @param {unknown} value
 * @param {(name: string, value: unknown) => T} read @returns {(request: unknown) => T | undefined}
 */
function readPerRequest(name, value, read) {
  if (typeof value === 'function') return (request) => optional(read, `what ${name} returned`, value(request));
  if (isGiven(value) && typeof value === 'object') throw wrongType(name, 'a value or a function of the request', value);
  const constant = optional(read, name, value);
  return () => constant;
}

/** The conversations of an adapter that can set Anthropic's cache breakpoints. @param {unknown} options */
const conversationsFrom = (options) => new Conversations(checkOptions(options, OPTIONS.markedAdapter));

module.exports = { Conversations, conversationsFrom };
