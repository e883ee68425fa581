// @ts-check
'use strict';

const {
  checkMessages,
  checkOptions,
  optional,
  readFlag,
  readInteger,
  readSignal,
  readText,
} = require('../arguments.js');
const { outOfRange, quoted, wrongType } = require('../errors.js');
const { listenerFrom } = require('../listener.js');
const { fingerprintOf } = require('../messages/likeness.js');
const { OPTIONS } = require('../option-names.js');
const { ConversationFacts } = require('../stores/conversation-facts.js');
const { readFactStore, withArchive } = require('../stores/fact-store.js');
const { ContextView, inner, ledgerOf } = require('./context-view.js');
const { ConversationIndex } = require('./conversation-index.js');
const { requestFact } = require('./facts.js');
const { viewLookupTool } = require('./lookup.js');
const { isAnswered, RequestBoundaries } = require('./request-boundaries.js');

/**
 * @typedef {InstanceType<typeof ContextView>} View
 * @typedef {import('../../binding.js').ViewCosts} Costs
 *
 * @typedef {object} Entry a conversation in memory
 * @property {View} view
 * @property {string | undefined} id
 * @property {number} inherited count of requests at the start that another conversation's ledger already has
 * @property {string | undefined} session id in the archive
 * @property {Stored | null} stored
 *
 * @typedef {object} Stored
 * @property {InstanceType<typeof ConversationFacts>} facts
 * @property {Set<string>} taken facts already passed to the view
 * @property {Promise<unknown>} turn
 */

/** Count of a named conversation's requests that another ledger has. @typedef {() => number} Inherited */

/** Access for adapters. @type {{
 *   ask: (views: ContextViews, messages: readonly any[], options: unknown, fixedPrefix: import('./projection.js').FixedPrefix | undefined, inherited?: Inherited) => Promise<{ view: View, prepared: any }>,
 *   sentWithout: (views: ContextViews, messages: readonly any[], options: unknown) => void,
 * }} */
let innerViews;

/** Conversations in memory; above this count the least recently used one is forgotten. */
const MAX_VIEWS = 64;
/** Total time that a request waits for the store. */
const STORE_TIMEOUT_MS = 1_000;
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;
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
    const given = checkOptions(options, OPTIONS.views);
    const { maxViews, store, storeTimeoutMs, onEvent, ...rest } = given ?? {};
    this.#max = readMost(maxViews ?? MAX_VIEWS);
    this.#notify = listenerFrom(onEvent);
    this.#store = store === undefined || store === null ? null : readFactStore('options.store', store);
    if (this.#store === null && (storeTimeoutMs ?? null) !== null) {
      throw outOfRange('options.storeTimeoutMs', 'none without options.store', quoted(storeTimeoutMs));
    }
    const timeoutMs = storeTimeoutMs ?? STORE_TIMEOUT_MS;
    this.#timeoutMs = readInteger('options.storeTimeoutMs', timeoutMs, 1, LONGEST_TIMEOUT_MS);
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
    let sum = this.#past;
    for (const entry of this.#entries) sum = sumOf(sum, inner.costsOf(entry.view, entry.inherited));
    return ledgerOf(sum);
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
    const projection = () =>
      /** @type {NonNullable<ReturnType<typeof inner.projectionOf>>} */ (
        inner.projectionOf(this.#byId.get(id)?.view ?? unknown)
      );
    return viewLookupTool(projection, { ...session, ...rest });
  }

  /** @param {readonly any[]} messages @param {unknown} [options] */
  project(messages, options) {
    checkMessages(messages);
    this.#refuseStore('project()');
    const { identity, rest } = read(options);
    const entry = this.#entryFor(messages, identity);
    const projected = entry.view.project(messages, rest);
    this.#note(entry, messages);
    return projected;
  }

  /**
   * The view of the conversation that `messages` continue or rewind. If they branch off from a conversation, a new view starts with that
   * conversation's facts.
   * @param {readonly any[]} messages
   * @param {unknown} [options]
   * @returns {View}
   */
  viewFor(messages, options) {
    checkMessages(messages);
    this.#refuseStore('viewFor()');
    const entry = this.#entryFor(messages, read(options).identity);
    this.#note(entry, messages);
    return entry.view;
  }

  /** @param {string} call */
  #refuseStore(call) {
    if (this.#store === null) return;
    throw outOfRange('options.store', `none for ${call}, which can't wait for one: use prepare()`, 'one');
  }

  /** @param {readonly any[]} messages @param {unknown} [options] */
  async prepare(messages, options) {
    return (await this.#ask(messages, options, undefined)).prepared;
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

  /**
   * @param {readonly any[]} messages
   * @param {unknown} options
   * @param {import('./projection.js').FixedPrefix | undefined} fixedPrefix
   * @param {Inherited} [inherited]
   * @returns {Promise<{ view: View, prepared: any }>}
   */
  async #ask(messages, options, fixedPrefix, inherited) {
    checkMessages(messages);
    const { identity, rest } = read(options);
    if (this.#store !== null && identity.id === undefined && !identity.isSide) {
      throw wrongType('options.conversationId', 'a string, which names the conversation in the store', identity.id);
    }
    const entry = this.#entryFor(messages, identity, inherited);
    this.#note(entry, messages);
    const { view, stored } = entry;
    if (stored === null) return { view, prepared: await inner.prepare(view, messages, rest, { ahead: fixedPrefix }) };
    const turn = stored.turn.then(() =>
      this.#withStore(entry, stored, { messages, rest, fixedPrefix, isSide: identity.isSide }),
    );
    stored.turn = turn.catch(() => {});
    return { view, prepared: await turn };
  }

  /**
   * Reads facts of other processes and adds the time of this request, in one round trip.
   * @param {Entry} entry @param {Stored} stored
   * @param {{ messages: readonly any[], rest: Record<string, any>, fixedPrefix: import('./projection.js').FixedPrefix | undefined, isSide: boolean }} request
   */
  async #withStore({ view }, stored, { messages, rest, fixedPrefix, isSide }) {
    const signal = optional(readSignal, 'options.signal', rest.signal);
    const isTimed = new RequestBoundaries(null, false).isTimedWith(messages);
    const length = messages.length;
    const own =
      isTimed || isSide || length === 0
        ? []
        : [JSON.stringify({ type: 'request', length, mark: fingerprintOf(messages[length - 1]) })];
    const isWanted = own.length > 0 || (this.#options.compression ?? null) !== null;
    if (isWanted) await this.#exchange(view, stored, own, rest.now ?? Date.now(), signal);
    const share = async (/** @type {import('./facts.js').SummaryFact} */ fact) =>
      this.#exchange(view, stored, [JSON.stringify(fact)], Date.now(), signal);
    return inner.prepare(view, messages, rest, { ahead: fixedPrefix, share });
  }

  /**
   * @param {View} view @param {Stored} stored @param {string[]} texts new facts
   * @param {number} now time of the new facts, if the store records none
   * @param {AbortSignal | undefined} signal
   */
  async #exchange(view, stored, texts, now, signal) {
    await stored.facts.exchange(texts, signal);
    const facts = inner.factsOf(view);
    const all = [...stored.facts.known, ...texts.map((fact) => ({ fact, atMs: now }))];
    for (const { fact, atMs } of all) {
      if (stored.taken.has(fact)) continue;
      stored.taken.add(fact);
      facts.take(fact, atMs);
    }
  }

  /** @param {readonly any[]} messages @param {Identity} identity @param {Inherited} [ofOthers] @returns {Entry} */
  #entryFor(messages, { id, isSide }, ofOthers = () => 0) {
    if (id !== undefined) return this.#byId.get(id) ?? this.#add({ id, session: id, inherited: ofOthers() });
    const nearest = this.#index.nearest(messages);
    if (nearest === undefined) return this.#add({ session: this.#nextSession() });
    const { entry, shared, length } = nearest;
    if (isSide || shared === messages.length || shared >= length - UNSTABLE_END) return entry;
    const end = Math.min(shared + 1, messages.length);
    const requests = new RequestBoundaries(null, false).take(messages.slice(0, end));
    const inherited = requests.filter((request) => request.end <= shared && isAnswered(messages, request.end)).length;
    const branch = this.#add({ session: entry.session, inherited });
    for (const fact of inner.factsOf(entry.view).list) inner.factsOf(branch.view).add(fact);
    return branch;
  }

  /** @param {{ id?: string, session?: string | undefined, inherited?: number }} about @returns {Entry} */
  #add({ id, session, inherited = 0 }) {
    const view = new ContextView(this.#optionsFor(session));
    const store = id === undefined ? null : this.#store;
    const stored = store === null || id === undefined ? null : this.#storedFacts(id, store);
    const entry = { view, id, session, inherited, stored };
    this.#entries.add(entry);
    if (id !== undefined) this.#byId.set(id, entry);
    while (this.#entries.size > this.#max) this.#forget(/** @type {Entry} */ (this.#entries.values().next().value));
    return entry;
  }

  /** @param {string} id @param {import('../entry/types/fact-store.js').FactStore} store @returns {Stored} */
  #storedFacts(id, store) {
    const notify = (/** @type {object} */ event) => this.#notify({ type: 'store', ...event });
    const facts = new ConversationFacts(id, store, { timeoutMs: this.#timeoutMs, notify });
    return { facts, taken: new Set(), turn: Promise.resolve() };
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
    const sessionId = session ?? compression.sessionId ?? 'any';
    if (store === null) return { ...own, compression: { ...compression, sessionId } };
    return { ...own, compression: withArchive(compression, { timeoutMs: this.#timeoutMs, sessionId }) };
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
function readMost(given) {
  if (typeof given !== 'number') throw wrongType('options.maxViews', 'a number', given);
  if (!Number.isSafeInteger(given) || given < 1) {
    throw outOfRange('options.maxViews', 'an integer above zero', String(given));
  }
  return given;
}

/** @typedef {import('../entry/types/view.js').ViewReport} Report @param {Report} sum @param {Report} report */
function addReport(sum, { replaced, reacquired }) {
  for (const kind of /** @type {(keyof Report['ages'])[]} */ (Object.keys(sum.ages))) {
    sum.replaced[kind] += replaced[kind];
    sum.reacquired[kind] += reacquired[kind];
  }
}

/** @param {Costs} one @param {Costs} other @returns {Costs} */
function sumOf(one, other) {
  const figures = /** @type {(keyof Costs)[]} */ (Object.keys(NO_COSTS));
  return /** @type {any} */ (Object.fromEntries(figures.map((figure) => [figure, one[figure] + other[figure]])));
}

module.exports = {
  ContextViews,
  /** @type {NonNullable<typeof innerViews>['ask']} */
  askOf: (views, messages, options, fixedPrefix, inherited) =>
    innerViews.ask(views, messages, options, fixedPrefix, inherited),
  /** Records a request that the application sent without asking the view. @type {NonNullable<typeof innerViews>['sentWithout']} */
  sentWithout: (views, messages, options) => innerViews.sentWithout(views, messages, options),
};
