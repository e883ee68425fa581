// @ts-check
'use strict';

const { optional, readFlag, readText } = require('../arguments.js');
const { wrongType } = require('../errors.js');
const { deliverEvents, sayOnce } = require('../log.js');
const { parseContextLengthError } = require('../results/overflow.js');
const { inner, sentOf } = require('../view/context-view.js');
const { listenerFrom } = require('../view/listener.js');
const { askOf, ContextViews } = require('../view/views.js');
const { weightOfText } = require('../view/weight.js');

/** @typedef {InstanceType<typeof import('../view/context-view.js').ContextView>} View */
/**
 * What is known of a request beside its messages.
 * @typedef {object} Around
 * @property {AbortSignal | null | undefined} [signal]
 * @property {unknown} [request] as the SDK has it, for the host's functions that name it
 * @property {string} [model] its id
 * @property {string} [ahead] system prompt and tools, where they are no messages, as text
 * @property {number} [marks] marks that the host has set there
 * @property {number | undefined} [sentMs] when the messages were sent last, where that went past this
 */

/** Weights of what stands ahead of messages: the same text with each request. @type {Map<string, number>} */
const weights = new Map();
const MOST_WEIGHTS = 64;

/**
 * The conversations that go through one adapter, interleaved: each request finds the view of the conversation that it
 * continues, and the provider's report finds the request that it is about.
 */
class Conversations {
  #idOf;
  #isSide;
  #tell;
  #compresses;
  /** What goes past this adapter, and has been said to. @type {Set<string>} */
  #passing = new Set();

  /** @param {Record<string, unknown> | undefined} [options] those of `ContextViews`, and how a request says which it is */
  constructor(options) {
    const { conversationId, side, onEvent, ...rest } = options ?? {};
    this.#idOf = readNaming('options.conversationId', conversationId, readText);
    this.#isSide = readNaming('options.side', side, readFlag);
    this.#tell = listenerFrom(onEvent);
    this.#compresses = (rest.compression ?? null) !== null;
    if ((rest.store ?? null) !== null && (conversationId ?? null) === null) {
      throw wrongType('options.conversationId', 'a name or a function of the request beside a store', conversationId);
    }
    this.views = new ContextViews({ ...rest, onEvent: this.#tell });
  }

  /** How many conversations are remembered. */
  get size() {
    return this.views.size;
  }

  /** What all requests have cost, those of forgotten conversations included. */
  ledger() {
    return this.views.ledger();
  }

  /** What each adapter has beside its hook. */
  get open() {
    return { ledger: () => this.ledger(), views: this.views };
  }

  /**
   * What to send now. Nothing of `messages` is written to.
   * @param {readonly any[]} messages all of the conversation, as it is kept
   * @param {Around} [around]
   * @returns {Promise<Request>}
   * @throws what `signal` was aborted with
   */
  async prepare(messages, { signal, request, model = '', ahead = '', marks = 0, sentMs } = {}) {
    const side = this.#isSide(request) ?? false;
    const known = model === '' ? {} : { model };
    const { view, prepared } = await askOf(this.views, messages, {
      conversationId: this.#idOf(request),
      side,
      scope: model + ahead,
      ahead: { tokens: weightAhead(ahead), marks, sentMs },
      signal: signal ?? null,
      ...known,
    });
    if (this.#compresses) this.#tell({ type: 'compression', view, ...prepared.compression });
    return new Request(prepared, view, (error) => this.#failed(view, error, known));
  }

  /**
   * Takes in why a request failed: what it says of the model's window counts from then on.
   * @param {View} view
   * @param {unknown} error
   * @param {{ model?: string }} known
   */
  #failed(view, error, known) {
    const overflow = parseContextLengthError(error);
    if (overflow === null) return;
    const windowTokens = view.noteOverflow(error, known);
    this.#tell({ type: 'overflow', view, error: overflow, windowTokens });
  }

  /**
   * Says once that requests go past this adapter, and what to do.
   * @param {string} what
   * @param {string} message
   */
  passesBy(what, message) {
    if (this.#passing.has(what)) return;
    this.#passing.add(what);
    sayOnce(what, () => deliverEvents([{ level: 'warn', message, fields: [] }]));
    this.#tell({ type: 'unseen', message });
  }
}

/** One request: what is sent, and the report that belongs to it. */
class Request {
  #view;
  #number;
  #isReported = false;

  /**
   * @param {{ messages: any[], report: any, history: any[] }} prepared
   * @param {View} view
   * @param {(error: unknown) => void} failed is told why it failed
   */
  constructor(prepared, view, failed) {
    this.failed = failed;
    this.messages = prepared.messages;
    this.report = prepared.report;
    const { number, places } = sentOf(prepared);
    this.#number = number;
    this.#view = view;
    /** Where to put marks for a cache, asked for only by who sets some: places in `messages`. */
    this.places = places;
  }

  /** @returns {number[]} */
  get breakpoints() {
    const places = this.places.length > 0 ? this.places : this.#view.breakpoints();
    return places.filter((place) => place < this.messages.length);
  }

  /**
   * Has it answered, and takes in why it fails.
   * @template T
   * @param {() => PromiseLike<T> | T} work
   * @returns {Promise<T>}
   */
  async attempt(work) {
    try {
      return await work();
    } catch (error) {
      this.failed(error);
      throw error;
    }
  }

  /**
   * Takes the provider's report of this request, however late it comes; a second one is dropped, and one that says nothing.
   * @param {unknown} usage in any provider's form
   */
  observe(usage) {
    if (this.#isReported || typeof usage !== 'object' || usage === null) return;
    this.#isReported = inner.observe(this.#view, this.#number, usage);
  }
}

/**
 * An option that says which conversation a request is of: a value for all, or a function of the SDK's request.
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
