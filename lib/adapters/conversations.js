// @ts-check
'use strict';

const { optional, readFlag, readText } = require('../arguments.js');
const { wrongType } = require('../errors.js');
const { deliverEvents, sayOnce } = require('../log.js');
const { parseContextLengthError } = require('../results/overflow.js');
const { inner, sentOf } = require('../view/context-view.js');
const { listenerFrom } = require('../listener.js');
const { askOf, ContextViews, sentWithout } = require('../view/context-views.js');
const { weightOfText } = require('../tokens/weight.js');

/** @typedef {InstanceType<typeof import('../view/context-view.js').ContextView>} View */
/**
 * @typedef {object} Around what is known of a request beside its messages
 * @property {AbortSignal | null | undefined} [signal]
 * @property {unknown} [request] the SDK's own, for the host's functions that name it
 * @property {string} [model] its id
 * @property {string} [ahead] system prompt and tools, where they are no messages, as text
 * @property {number} [marks] marks that the host has set there
 * @property {() => number} [inherited] how many requests of a named conversation are on another bill, where it is not known yet
 */

/** Tokens of texts ahead of messages: requests repeat them. @type {Map<string, number>} */
const weights = new Map();
const MOST_WEIGHTS = 64;

/** The conversations of one adapter, interleaved: a request finds the view that it continues, and a report finds its request. */
class Conversations {
  #idOf;
  #isSide;
  #tell;
  #compresses;
  /** Ways around this adapter that the host has been told of. @type {Set<string>} */ #passing = new Set();

  /** @param {Record<string, unknown> | undefined} [options] those of `ContextViews`, and how a request names its conversation */
  constructor(options) {
    const { conversationId, side, onEvent, ...rest } = options ?? {};
    this.#idOf = readNaming('options.conversationId', conversationId, readText);
    this.#isSide = readNaming('options.side', side, readFlag);
    this.#tell = listenerFrom(onEvent);
    this.#compresses = (rest.compression ?? null) !== null;
    if ((rest.store ?? null) !== null && (conversationId ?? null) === null) {
      throw wrongType('options.conversationId', 'a name or a function of the request beside a store', conversationId);
    }
    // Nobody has measured yet how models take references: who adopts an adapter has to ask for them.
    this.views = new ContextViews({ ...rest, repeated: rest.repeated ?? false, onEvent: this.#tell });
  }

  get size() {
    return this.views.size;
  }

  /** Includes forgotten conversations. */
  ledger() {
    return this.views.ledger();
  }

  /** What the host gets of each adapter beside its hook. */
  get open() {
    return { ledger: () => this.ledger(), views: this.views };
  }

  /**
   * @param {readonly any[]} messages the whole conversation; never written to
   * @param {Around} [around]
   * @returns {Promise<Request>}
   * @throws what `signal` was aborted with
   */
  async prepare(messages, { signal, request, model = '', ahead = '', marks = 0, inherited } = {}) {
    const side = this.#isSide(request) ?? false;
    const known = model === '' ? {} : { model };
    const asked = { conversationId: this.#idOf(request), side, signal: signal ?? null, ...known };
    const before = { tokens: weightAhead(ahead), marks };
    const { view, prepared } = await askOf(this.views, messages, asked, before, inherited);
    if (this.#compresses) this.#tell({ type: 'compression', view, ...prepared.compression });
    return new Request(prepared, view, (error) => this.#failed(view, error, known));
  }

  /** A request was sent as the one before, since this adapter failed. @param {readonly any[]} messages @param {unknown} [request] the SDK's own */
  sentWithout(messages, request) {
    sentWithout(this.views, messages, { conversationId: this.#idOf(request) });
  }

  /** Learns the window from a request's error. @param {View} view @param {unknown} error @param {{ model?: string }} known */
  #failed(view, error, known) {
    const overflow = parseContextLengthError(error);
    if (overflow === null) return;
    const windowTokens = view.noteOverflow(error, known);
    this.#tell({ type: 'overflow', view, error: overflow, windowTokens });
  }

  /** Says once that requests go around this adapter. @param {string} what @param {string} message what to do about it */
  passesBy(what, message) {
    if (this.#passing.has(what)) return;
    this.#passing.add(what);
    sayOnce(what, () => deliverEvents([{ level: 'warn', message, fields: [] }]));
    this.#tell({ type: 'unseen', message });
  }
}

/** A request that was prepared, and that its report belongs to. */
class Request {
  #view;
  #number;
  #isReported = false;

  /** @param {{ messages: any[], report: any, history: any[] }} prepared @param {View} view @param {(error: unknown) => void} failed */
  constructor(prepared, view, failed) {
    this.failed = failed;
    this.messages = prepared.messages;
    this.report = prepared.report;
    const { number, places, messages } = sentOf(prepared);
    /** With fields that no API knows, as they were given. */
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

  /** Whether results are outdated that are still sent. */
  get isPending() {
    return this.#view.plan().pending.length > 0;
  }

  /** Learns from the error of `work`. @template T @param {() => PromiseLike<T> | T} work @returns {Promise<T>} */
  async attempt(work) {
    try {
      return await work();
    } catch (error) {
      this.failed(error);
      throw error;
    }
  }

  /** Takes the provider's first report, in any form and however late. @param {unknown} usage */
  observe(usage) {
    if (this.#isReported || typeof usage !== 'object' || usage === null) return;
    this.#isReported = inner.observe(this.#view, this.#number, usage);
  }
}

/**
 * Reads an option that is a value for all requests, or a function of the SDK's request.
 * @template T
 * @param {string} name
 * @param {unknown} given
 * @param {(name: string, value: unknown) => T} read
 * @returns {(request: unknown) => T | undefined}
 */
function readNaming(name, given, read) {
  if (typeof given === 'function') return (request) => optional(read, `what ${name} returned`, given(request));
  if (given !== undefined && given !== null && typeof given === 'object') {
    throw wrongType(name, 'a value or a function of the request', given);
  }
  const value = optional(read, name, given);
  return () => value;
}

/** @param {string} ahead */
function weightAhead(ahead) {
  const known = weights.get(ahead);
  if (known !== undefined) return known;
  if (weights.size >= MOST_WEIGHTS) weights.clear();
  const tokens = weightOfText(ahead);
  weights.set(ahead, tokens);
  return tokens;
}

module.exports = { Conversations };
