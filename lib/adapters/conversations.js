// @ts-check
'use strict';

const { isGiven, optional, readFlag, readText } = require('../arguments.js');
const { wrongType } = require('../errors.js');
const { deliverEvents, logOnce } = require('../log.js');
const { parseContextLengthError } = require('../results/overflow.js');
const { inner } = require('../view/context-view.js');
const { listenerFrom } = require('../listener.js');
const { ContextViews, innerViews } = require('../view/context-views.js');
const { weightOfText } = require('../tokens/weight.js');

/** @typedef {InstanceType<typeof import('../view/context-view.js').ContextView>} View */
/**
 * @typedef {object} RequestDetails
 * @property {AbortSignal | null | undefined} [signal]
 * @property {unknown} [request] the SDK's request, for the application's functions of it
 * @property {string} [model] its id
 * @property {string} [ahead] system prompt and tools as text, if they are not messages
 * @property {number} [marks] number of breakpoints that the application set there
 * @property {() => number} [inherited] for a new view of a named conversation: how many of its requests another ledger already counts
 */

/** The conversations of one adapter, interleaved: assigns each request to the view that it continues, and each usage report to its request. */
class Conversations {
  #idOf;
  #isSide;
  #notify;
  #compresses;
  /** Warnings about bypassing requests that were already given. @type {Set<string>} */ #bypassing = new Set();

  /** @param {Record<string, unknown> | undefined} [options] those of `ContextViews`, and the option that names a request's conversation */
  constructor(options) {
    const { conversationId, side, onEvent, ...rest } = options ?? {};
    this.#idOf = readNaming('options.conversationId', conversationId, readText);
    this.#isSide = readNaming('options.side', side, readFlag);
    this.#notify = listenerFrom(onEvent);
    this.#compresses = isGiven(rest.compression);
    if (isGiven(rest.store) && !isGiven(conversationId)) {
      throw wrongType('options.conversationId', 'a name or a function of the request beside a store', conversationId);
    }
    // How models handle references has not been measured, so adapters use them only if the option is set.
    this.views = new ContextViews({ ...rest, repeated: rest.repeated ?? false, onEvent: this.#notify });
  }

  get size() {
    return this.views.size;
  }

  /** Includes dropped conversations. */
  ledger() {
    return this.views.ledger();
  }

  /** The public members of each adapter besides its hook. */
  get open() {
    return { ledger: () => this.ledger(), views: this.views };
  }

  /**
   * @param {readonly any[]} messages the whole conversation; never written to
   * @param {RequestDetails} [details]
   * @returns {Promise<Request>}
   * @throws the abort reason of `signal`
   */
  async prepare(messages, { signal, request, model = '', ahead = '', marks = 0, inherited } = {}) {
    const side = this.#isSide(request) ?? false;
    const named = model === '' ? {} : { model };
    const options = { conversationId: this.#idOf(request), side, signal: signal ?? null, ...named };
    const before = { tokens: weightOfText(ahead), marks };
    const { view, prepared, sent } = await innerViews.ask(this.views, messages, options, before, inherited);
    if (this.#compresses) this.#notify({ type: 'compression', view, ...prepared.compression });
    return new Request(prepared, sent, view, (error) => this.#failed(view, error, named));
  }

  /**
   * Records a request that was sent like the previous one, because this adapter failed.
   * @param {readonly any[]} messages @param {unknown} [request] the SDK's own
   */
  sentWithout(messages, request) {
    innerViews.sentWithout(this.views, messages, { conversationId: this.#idOf(request) });
  }

  /** Learns the context window's size from a request's error. @param {View} view @param {unknown} error @param {{ model?: string }} known */
  #failed(view, error, known) {
    const overflow = parseContextLengthError(error);
    if (overflow === null) return;
    const windowTokens = view.noteOverflow(error, known);
    this.#notify({ type: 'overflow', view, error: overflow, windowTokens });
  }

  /** Reports once that requests bypass this adapter. @param {string} what @param {string} message what to do about it */
  warnBypassing(what, message) {
    if (this.#bypassing.has(what)) return;
    this.#bypassing.add(what);
    logOnce(what, () => deliverEvents([{ level: 'warn', message, fields: [] }]));
    this.#notify({ type: 'unseen', message });
  }
}

/** A prepared request, to which its usage report is assigned. */
class Request {
  #view;
  #number;
  #isReported = false;

  /**
   * @param {{ messages: any[], report: any, history: any[] }} prepared
   * @param {import('../view/context-view.js').Prepared['sent']} sent
   * @param {View} view
   * @param {(error: unknown) => void} failed
   */
  constructor(prepared, { number, places, messages }, view, failed) {
    this.failed = failed;
    this.messages = prepared.messages;
    this.report = prepared.report;
    /** The messages including fields that no API accepts. */
    this.projected = messages;
    this.#number = number;
    this.#view = view;
    this.places = places;
  }

  /** @returns {number[]} */
  get breakpoints() {
    const places = this.places ?? this.#view.breakpoints();
    return places.filter((place) => place < this.messages.length);
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
    this.#isReported = inner.observe(this.#view, this.#number, usage);
  }
}

/**
 * Reads an option that is a constant, or a function of the SDK's request.
 * @template T
 * @param {string} name
 * @param {unknown} value
 * @param {(name: string, value: unknown) => T} read
 * @returns {(request: unknown) => T | undefined}
 */
function readNaming(name, value, read) {
  if (typeof value === 'function') return (request) => optional(read, `what ${name} returned`, value(request));
  if (isGiven(value) && typeof value === 'object') throw wrongType(name, 'a value or a function of the request', value);
  const constant = optional(read, name, value);
  return () => constant;
}

module.exports = { Conversations };
