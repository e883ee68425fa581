// @ts-check
'use strict';

const { checkMessages, checkOptions, optional } = require('../arguments.js');
const { readFlag, readInteger, readSignal, readText } = require('../arguments.js');
const { outOfRange, quoted, wrongType } = require('../errors.js');
const { listenerFrom } = require('../listener.js');
const { OPTIONS } = require('../option-names.js');
const { ConversationFacts } = require('../stores/conversation-facts.js');
const { readFactStore, withArchive } = require('../stores/fact-store.js');
const { ContextView, inner, ledgerOf } = require('./context-view.js');
const { ConversationIndex } = require('./conversation-index.js');
const { requestFact } = require('./facts.js');
const { viewLookupTool } = require('./lookup.js');
const { KINDS } = require('./options.js');
const { isAnswered, RequestBoundaries } = require('./request-boundaries.js');

/**
 * @typedef {InstanceType<typeof ContextView>} View
 * @typedef {import('./projection.js').FixedPrefix} FixedPrefix
 * @typedef {import('../../binding.js').ViewCosts} Costs
 *
 * @typedef {object} Entry a conversation in memory
 * @property {View} view
 * @property {string | undefined} id
 * @property {number} inherited count of requests at the start that another conversation's ledger already has
 * @property {string | undefined} session id in the archive
 * @property {Stored | null} stored
 *
 * `known`: facts that the view has; `turn`: settles after all requests so far.
 * @typedef {{ facts: InstanceType<typeof ConversationFacts>, known: Set<string>, turn: Promise<unknown> }} Stored
 * @typedef {{ view: View } & import('./context-view.js').Prepared} Asked
 * @typedef {() => number} Inherited count of a named conversation's requests that another ledger has
 */

/** Access for adapters. `sentWithout`: records a request that the application sent without asking the view. @type {{
 *   ask: (views: ContextViews, messages: readonly any[], options: unknown, fixedPrefix?: FixedPrefix, inherited?: Inherited) => Promise<Asked>,
 *   sentWithout: (views: ContextViews, messages: readonly any[], options: unknown) => void,
 * }} */
let innerViews;

/** Conversations in memory; above this count the least recently used one is forgotten. */
const MAX_VIEWS = 64;
/** Total time that a request waits for the store. */
const STORE_TIMEOUT_MS = 1_000;
const MAX_TIMEOUT_MS = 2 ** 31 - 1;
/** Messages at the end that may differ between requests: applications append one that they don't store. */
const UNSTABLE_END = 1;
const NO_COSTS = Object.freeze({ requests: 0, cost: 0, costLeftAlone: 0, unsure: 0, unsureLeftAlone: 0 });

/** Manages many conversations, each with its own view, found by the application's id or by the messages. */
class ContextViews {
  #options;
  #max;
  #store;
  #timeoutMs;
  #notify;
  /** Most recently used last. @type {Set<Entry>} */ #entries = new Set();
  /** @type {Map<string, Entry>} */ #byId = new Map();
  /** Conversations without an id. */ #index = new ConversationIndex();
  /** Costs of forgotten conversations. @type {Costs} */ #past = NO_COSTS;
  /** Report of forgotten conversations. */ #pastReport = new ContextView().report();
  /** Count of archive sessions given to conversations without an id. */ #sessions = 0;

  /** @param {unknown} [options] */
  constructor(options) {
    const { maxViews, store, storeTimeoutMs, onEvent, ...rest } = checkOptions(options, OPTIONS.views) ?? {};
    this.#max = readMaxViews(maxViews ?? MAX_VIEWS);
    this.#notify = listenerFrom(onEvent);
    this.#store = store === undefined || store === null ? null : readFactStore('options.store', store);
    if (this.#store === null && (storeTimeoutMs ?? null) !== null) {
      throw outOfRange('options.storeTimeoutMs', 'none without options.store', quoted(storeTimeoutMs));
    }
    this.#timeoutMs = readInteger('options.storeTimeoutMs', storeTimeoutMs ?? STORE_TIMEOUT_MS, 1, MAX_TIMEOUT_MS);
    this.#options = /** @type {Record<string, unknown>} */ (rest);
    // Creates a view so that invalid options throw here.
    new ContextView(this.#optionsFor(undefined));
  }

  get size() {
    return this.#entries.size;
  }

  /** Views in memory, most recently used last. @returns {IterableIterator<View>} */
  [Symbol.iterator]() {
    return Array.from(this.#entries, ({ view }) => view)[Symbol.iterator]();
  }

  /** Costs of all requests, including those of forgotten conversations. */
  ledger() {
    const costs = Array.from(this.#entries, ({ view, inherited }) => inner.costsOf(view, inherited));
    return ledgerOf(costs.reduce(sumOf, this.#past));
  }

  report() {
    const sum = new ContextView(this.#optionsFor(undefined)).report();
    for (const report of [this.#pastReport, ...Array.from(this, (view) => view.report())]) addReport(sum, report);
    return sum;
  }

  /** @param {unknown} options */
  lookupTool(options) {
    const { conversationId, ...rest } = checkOptions(options, OPTIONS.viewsLookupTool) ?? {};
    const id = readText('options.conversationId', conversationId);
    const unknown = new ContextView(this.#optionsFor(undefined));
    // The archive's session id of a conversation is the conversation's id.
    const session = (rest.archive ?? null) === null ? {} : { sessionId: id };
    /** @returns {any} never undefined for a view */
    const projection = () => inner.projectionOf(this.#byId.get(id)?.view ?? unknown);
    return viewLookupTool(projection, { ...session, ...rest });
  }

  /** @param {readonly any[]} messages @param {unknown} [options] */
  project(messages, options) {
    const { view, rest } = this.#viewFor(messages, options, 'project()');
    return view.project(messages, rest);
  }

  /**
   * The view of the conversation that `messages` continue or rewind. If they branch off from a conversation, a new view starts with that
   * conversation's facts.
   * @param {readonly any[]} messages @param {unknown} [options] @returns {View}
   */
  viewFor(messages, options) {
    return this.#viewFor(messages, options, 'viewFor()').view;
  }

  /** @param {readonly any[]} messages @param {unknown} options @param {string} call */
  #viewFor(messages, options, call) {
    checkMessages(messages);
    if (this.#store !== null)
      throw outOfRange('options.store', `none for ${call}, which can't wait for one: use prepare()`, 'one');
    const { identity, rest } = read(options);
    const entry = this.#entryFor(messages, identity);
    this.#note(entry, messages);
    return { view: entry.view, rest };
  }

  /** @param {readonly any[]} messages @param {unknown} [options] */
  async prepare(messages, options) {
    return (await this.#ask(messages, options)).prepared;
  }

  static {
    innerViews = {
      ask: (views, messages, options, fixedPrefix, inherited) => views.#ask(messages, options, fixedPrefix, inherited),
      sentWithout: (views, messages, options) => {
        const entry = views.#entryFor(messages, read(options).identity);
        inner.factsOf(entry.view).add({ ...requestFact(messages, Date.now()), isUndecided: true });
      },
    };
  }

  /** @param {readonly any[]} messages @param {unknown} options @param {FixedPrefix} [fixedPrefix] @param {Inherited} [inherited] @returns {Promise<Asked>} */
  async #ask(messages, options, fixedPrefix, inherited) {
    checkMessages(messages);
    const { identity, rest } = read(options);
    if (this.#store !== null && identity.id === undefined && !identity.isSide) {
      throw wrongType('options.conversationId', 'a string, which names the conversation in the store', identity.id);
    }
    const entry = this.#entryFor(messages, identity, inherited);
    this.#note(entry, messages);
    const { view, stored } = entry;
    if (stored === null) return { view, ...(await inner.prepare(view, messages, rest, { fixedPrefix })) };
    const request = { messages, rest, fixedPrefix, isSide: identity.isSide };
    const turn = stored.turn.then(() => this.#withStore(view, stored, request));
    stored.turn = turn.catch(() => {});
    return { view, ...(await turn) };
  }

  /**
   * Reads facts of other processes and adds the time of this request, in one round trip.
   * @param {View} view @param {Stored} stored
   * @param {{ messages: readonly any[], rest: Record<string, any>, fixedPrefix: FixedPrefix | undefined, isSide: boolean }} request
   */
  async #withStore(view, stored, { messages, rest, fixedPrefix, isSide }) {
    const signal = optional(readSignal, 'options.signal', rest.signal);
    const needsNoFact = isSide || messages.length === 0 || new RequestBoundaries(null, false).isTimedWith(messages);
    // The store adds the time.
    const own = needsNoFact ? [] : [JSON.stringify({ ...requestFact(messages, 0), sentMs: undefined })];
    const isWanted = own.length > 0 || (this.#options.compression ?? null) !== null;
    if (isWanted) await this.#exchange(view, stored, own, rest.now ?? Date.now(), signal);
    const share = (/** @type {import('./facts.js').SummaryFact} */ summary) =>
      this.#exchange(view, stored, [JSON.stringify(summary)], Date.now(), signal);
    return inner.prepare(view, messages, rest, { fixedPrefix, share });
  }

  /**
   * @param {View} view @param {Stored} stored @param {string[]} texts new facts
   * @param {number} now time of the new facts, if the store records none
   * @param {AbortSignal | undefined} signal
   */
  async #exchange(view, stored, texts, now, signal) {
    await stored.facts.exchange(texts, signal);
    for (const { fact, atMs } of [...stored.facts.known, ...texts.map((fact) => ({ fact, atMs: now }))]) {
      if (!stored.known.has(fact)) inner.factsOf(view).take(fact, atMs);
      stored.known.add(fact);
    }
  }

  /** @param {readonly any[]} messages @param {Identity} identity @param {Inherited} [ofOthers] @returns {Entry} */
  #entryFor(messages, { id, isSide }, ofOthers = () => 0) {
    if (id !== undefined) return this.#byId.get(id) ?? this.#add({ id, session: id, inherited: ofOthers() });
    const nearest = this.#index.nearest(messages);
    if (nearest === undefined) return this.#add({ session: this.#nextSession() });
    const { entry, shared, length } = nearest;
    if (isSide || shared === messages.length || shared >= length - UNSTABLE_END) return entry;
    const requests = new RequestBoundaries(null, false).take(messages.slice(0, shared + 1));
    const inherited = requests.filter((request) => request.end <= shared && isAnswered(messages, request.end)).length;
    const branch = this.#add({ session: entry.session, inherited });
    for (const fact of inner.factsOf(entry.view).list) inner.factsOf(branch.view).add(fact);
    return branch;
  }

  /** @param {{ id?: string, session?: string | undefined, inherited?: number }} about @returns {Entry} */
  #add({ id, session, inherited = 0 }) {
    const view = new ContextView(this.#optionsFor(session));
    /** @type {Entry} */ const entry = { view, id, session, inherited, stored: null };
    if (id !== undefined && this.#store !== null) {
      const notify = (/** @type {object} */ event) => this.#notify({ type: 'store', ...event });
      const facts = new ConversationFacts(id, this.#store, { timeoutMs: this.#timeoutMs, notify });
      entry.stored = { facts, known: new Set(), turn: Promise.resolve() };
    }
    this.#entries.add(entry);
    if (id !== undefined) this.#byId.set(id, entry);
    while (this.#entries.size > this.#max) this.#forget(/** @type {Entry} */ (this.#entries.values().next().value));
    return entry;
  }

  /** @param {Entry} entry */
  #forget(entry) {
    this.#past = sumOf(this.#past, inner.costsOf(entry.view, entry.inherited));
    addReport(this.#pastReport, entry.view.report());
    this.#entries.delete(entry);
    if (entry.id !== undefined) this.#byId.delete(entry.id);
    this.#index.forget(entry);
  }

  /** Updates the index by which a conversation is found. @param {Entry} entry @param {readonly any[]} messages */
  #note(entry, messages) {
    this.#entries.delete(entry);
    this.#entries.add(entry);
    if (entry.id === undefined) this.#index.note(entry, messages);
  }

  /** Archive session of a conversation without an id. Only branches of one conversation share a session. */
  #nextSession() {
    const { sessionId } = /** @type {any} */ (this.#options.compression ?? {});
    const nth = ++this.#sessions;
    return typeof sessionId !== 'string' || nth === 1 ? sessionId : `${sessionId}/${nth}`;
  }

  /** @param {string | undefined} session id in the archive */
  #optionsFor(session) {
    const store = this.#store;
    const compression = /** @type {any} */ (this.#options.compression ?? null);
    // With a store, the store's clock decides when a request was sent.
    const own = { ...this.#options, arrivalTimes: this.#options.arrivalTimes ?? (store === null ? false : 'store') };
    if (compression === null || (compression.archive ?? null) === null) return own;
    const named = { ...compression, sessionId: session ?? compression.sessionId ?? 'any' };
    const { sessionId } = named;
    return {
      ...own,
      compression: store === null ? named : withArchive(named, { timeoutMs: this.#timeoutMs, sessionId }),
    };
  }
}

/** How the caller identifies a request's conversation. @typedef {{ id: string | undefined, isSide: boolean }} Identity */

/** @param {unknown} options @returns {{ identity: Identity, rest: Record<string, any> }} `rest`: options of the view */
function read(options) {
  const { conversationId, ...rest } = checkOptions(options, OPTIONS.conversation) ?? {};
  const id = optional(readText, 'options.conversationId', conversationId);
  return { identity: { id, isSide: optional(readFlag, 'options.side', rest.side) ?? false }, rest };
}

/** @param {unknown} given */
function readMaxViews(given) {
  if (typeof given !== 'number') throw wrongType('options.maxViews', 'a number', given);
  if (Number.isSafeInteger(given) && given > 0) return given;
  throw outOfRange('options.maxViews', 'an integer above zero', String(given));
}

/** @typedef {import('../entry/types/view.js').ViewReport} Report @param {Report} sum @param {Report} report */
function addReport(sum, { replaced, reacquired }) {
  for (const kind of KINDS) {
    sum.replaced[kind] += replaced[kind];
    sum.reacquired[kind] += reacquired[kind];
  }
}

/** @param {Costs} one @param {Costs} other @returns {Costs} */
function sumOf(one, other) {
  const figures = /** @type {(keyof Costs)[]} */ (Object.keys(NO_COSTS));
  return /** @type {any} */ (Object.fromEntries(figures.map((figure) => [figure, one[figure] + other[figure]])));
}

module.exports = { ContextViews, innerViews };
