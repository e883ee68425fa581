// @ts-check
'use strict';

const { checkMessages, checkOptions, isGiven, optional } = require('../arguments.js');
const { readFlag, readInteger, readName, readNumber, readSignal } = require('../arguments.js');
const { outOfRange, quoted, wrongType } = require('../errors.js');
const { listenerFrom } = require('../callbacks.js');
const { OPTIONS } = require('../option-names.js');
const { ConversationFacts, readFactStore, withArchive } = require('../stores/view-store.js');
const { ContextView, viewInternals } = require('./context-view.js');
const { ConversationIndex } = require('./conversation-index.js');
const { requestFact } = require('./facts.js');
const { viewLookupTool } = require('./lookup.js');
const { hasTimes, isAnswered, requestLengths } = require('./request-boundaries.js');
const { addReport, ledgerFrom, NO_COSTS, reportFrom, sumOfCosts } = require('./view-figures.js');

/**
 * @typedef {InstanceType<typeof ContextView>} View
 *
 * A conversation in memory. `id`: the application's; `inherited`: count of requests at the start that another conversation's ledger
 * has; `session`: its id in the archive; `stored`: null without a store; `lastRequest`: settles after all requests so far.
 * @typedef {{ view: View, id: string | undefined, inherited: number, session: string | undefined, stored: Stored | null }} Entry
 * @typedef {{ facts: InstanceType<typeof ConversationFacts>, lastRequest: Promise<unknown> }} Stored
 * @typedef {{ id: string | undefined, isSide: boolean }} Identity how the caller identifies a request's conversation
 *
 * What an adapter knows of a request. `countInherited`: `inherited` for a new conversation that has an id.
 * @typedef {{ fixedPrefix?: import('./projection.js').FixedPrefix | undefined, countInherited?: (() => number) | undefined }} RequestDetails
 */

/** Access to private parts for adapters. */ let conversationInternals;

/** By default, how many conversations are in memory; the least recently used is dropped. */ const MAX_VIEWS = 64;
/** By default, the total time that a request waits for the store. */ const STORE_TIMEOUT_MS = 1_000;
/** Upper limit of Node.js timers. */ const MAX_TIMEOUT_MS = 2 ** 31 - 1;
/** Messages at the end that may differ: applications append one that they don't store. */ const UNSTABLE_END = 1;
/** Archive session of views for checking options and for side requests. */ const NO_SESSION = 'none';

/** Manages many conversations, each with its own view, found by the application's id or by the messages. */
class ContextViews {
  /** Options of the views. @type {Record<string, unknown>} */ #options;
  #maxViews;
  #store;
  #timeoutMs;
  #notify;
  /** Most recently used last. @type {Set<Entry>} */ #entries = new Set();
  /** @type {Map<string, Entry>} */ #byId = new Map();
  /** Conversations without an id. */ #index = new ConversationIndex();
  /** Costs of dropped conversations. @type {import('../../binding.js').ViewCosts} */ #droppedCosts = NO_COSTS;
  /** Report of dropped conversations. */ #droppedReport;
  /** Count of archive sessions given to conversations without an id. */ #sessionCount = 0;

  /** @param {unknown} [options] */
  constructor(options) {
    const { maxViews, store, storeTimeoutMs, onEvent, ...rest } = checkOptions(options, OPTIONS.views) ?? {};
    const isCount = (/** @type {number} */ count) => Number.isSafeInteger(count) && count > 0;
    this.#maxViews = readNumber('options.maxViews', maxViews ?? MAX_VIEWS, isCount, 'an integer above zero');
    this.#notify = listenerFrom(onEvent);
    this.#store = isGiven(store) ? readFactStore('options.store', store) : null;
    if (this.#store === null && isGiven(storeTimeoutMs)) {
      throw outOfRange('options.storeTimeoutMs', 'none without options.store', quoted(storeTimeoutMs));
    }
    this.#timeoutMs = readInteger('options.storeTimeoutMs', storeTimeoutMs ?? STORE_TIMEOUT_MS, 1, MAX_TIMEOUT_MS);
    this.#options = rest;
    // A view is created so that invalid options throw here.
    new ContextView(this.#optionsFor(undefined));
    this.#droppedReport = reportFrom([], rest.ages ?? undefined);
  }

  get size() {
    return this.#entries.size;
  }

  /** Views in memory, most recently used last. @returns {IterableIterator<View>} */
  [Symbol.iterator]() {
    return Array.from(this.#entries, ({ view }) => view)[Symbol.iterator]();
  }

  /** Costs of all requests, including those of dropped conversations. */
  ledger() {
    const costs = Array.from(this.#entries, ({ view, inherited }) => viewInternals.costsOf(view, inherited));
    return ledgerFrom(costs.reduce(sumOfCosts, this.#droppedCosts));
  }

  report() {
    const sum = structuredClone(this.#droppedReport);
    for (const view of this) addReport(sum, view.report());
    return sum;
  }

  /** @param {unknown} options */
  lookupTool(options) {
    const { conversationId, ...rest } = checkOptions(options, OPTIONS.viewsLookupTool) ?? {};
    const id = readName('options.conversationId', conversationId);
    const emptyView = new ContextView(this.#optionsFor(undefined));
    // The archive's session id of a conversation is the conversation's id.
    const session = isGiven(rest.archive) ? { sessionId: id } : {};
    /** @returns {any} never undefined for a view */
    const projection = () => viewInternals.projectionOf(this.#byId.get(id)?.view ?? emptyView);
    return viewLookupTool(projection, { ...session, ...rest });
  }

  /** @param {readonly any[]} messages @param {unknown} [options] */
  project(messages, options) {
    const { entry, viewOptions } = this.#findEntry(messages, options, 'project()');
    const projected = entry.view.project(messages, viewOptions);
    this.#note(entry, messages);
    return projected;
  }

  /** The view of the conversation that `messages` continue or rewind, or a new one. @param {readonly any[]} messages @param {unknown} [options] @returns {View} */
  viewFor(messages, options) {
    const { entry } = this.#findEntry(messages, options, 'viewFor()');
    this.#note(entry, messages);
    return entry.view;
  }

  /** @param {readonly any[]} messages @param {unknown} options @param {string} method the public method, as errors name it */
  #findEntry(messages, options, method) {
    checkMessages(messages);
    if (this.#store !== null)
      throw outOfRange('options.store', `none for ${method}, which can't wait for one: use prepare()`, 'one');
    const { identity, viewOptions } = readRequestOptions(options);
    return { entry: this.#entryFor(messages, identity), viewOptions };
  }

  /** @param {readonly any[]} messages @param {unknown} [options] */
  async prepare(messages, options) {
    return (await this.#prepare(messages, options, {})).prepared;
  }

  static {
    conversationInternals = {
      /** @param {ContextViews} views @param {readonly any[]} messages @param {unknown} options @param {RequestDetails} details */
      prepare: (views, messages, options, details) => views.#prepare(messages, options, details),
      /** Records a request that was sent without asking the view. @param {ContextViews} views @param {readonly any[]} messages @param {unknown} options */
      recordUndecided: (views, messages, options) => {
        const entry = views.#entryFor(messages, readRequestOptions(options).identity);
        viewInternals.factsOf(entry.view).add({ ...requestFact(messages, Date.now()), isUndecided: true });
      },
    };
  }

  /** @param {readonly any[]} messages @param {unknown} options @param {RequestDetails} details */
  async #prepare(messages, options, { fixedPrefix, countInherited }) {
    checkMessages(messages);
    const { identity, viewOptions } = readRequestOptions(options);
    if (this.#store !== null && identity.id === undefined && !identity.isSide) {
      throw wrongType('options.conversationId', 'a string, which names the conversation in the store', identity.id);
    }
    const entry = this.#entryFor(messages, identity, countInherited);
    // Noted before the request is prepared, so that a request at the same time finds this conversation.
    this.#note(entry, messages);
    const { view, stored } = entry;
    const prepare = (/** @type {import('./context-view.js').InternalOptions['share']} */ share) =>
      viewInternals.prepare(view, messages, viewOptions, { fixedPrefix, share });
    if (stored === null) return { view, ...(await prepare(undefined)) };
    const preparing = stored.lastRequest.then(async () => {
      const signal = optional(readSignal, 'options.signal', viewOptions.signal);
      const needsNoFact = identity.isSide || messages.length === 0 || hasTimes(messages);
      // The store adds the time.
      const newFacts = needsNoFact ? [] : [JSON.stringify({ ...requestFact(messages, 0), sentMs: undefined })];
      const needsStore = newFacts.length > 0 || isGiven(this.#options.compression);
      if (needsStore) await exchange(view, stored.facts, newFacts, viewOptions.now ?? Date.now(), signal);
      return prepare((fact) => exchange(view, stored.facts, [JSON.stringify(fact)], Date.now(), signal));
    });
    stored.lastRequest = preparing.catch(() => {});
    return { view, ...(await preparing) };
  }

  /** The conversation in memory, or a new one. @param {readonly any[]} messages @param {Identity} identity @param {() => number} [countInherited] @returns {Entry} */
  #entryFor(messages, { id, isSide }, countInherited = () => 0) {
    if (id !== undefined) return this.#byId.get(id) ?? this.#add({ id, session: id, inherited: countInherited() });
    const { archive, sessionId } = /** @type {any} */ (this.#options.compression ?? {});
    // Conversations without an id would share one archive session.
    if (isGiven(archive) && !isGiven(sessionId) && !isSide)
      throw wrongType('options.conversationId', 'a string, which names the conversation in the archive', id);
    const nearest = this.#index.nearest(messages);
    if (nearest === undefined) {
      const sessionNumber = ++this.#sessionCount;
      const isFirst = typeof sessionId !== 'string' || sessionNumber === 1;
      return this.#add({ session: isFirst ? sessionId : `${sessionId}/${sessionNumber}` });
    }
    const { entry, shared, length } = nearest;
    const continuesOrRewinds = shared === messages.length || shared >= length - UNSTABLE_END;
    if (isSide || continuesOrRewinds) return entry;
    const isInherited = (/** @type {number} */ length) => length <= shared && isAnswered(messages, length);
    const inherited = requestLengths(messages.slice(0, shared + 1)).filter(isInherited).length;
    // A branch starts with the facts of its conversation. Only branches of one conversation share an archive session.
    const branch = this.#add({ session: entry.session, inherited });
    for (const fact of viewInternals.factsOf(entry.view).list) viewInternals.factsOf(branch.view).add(fact);
    return branch;
  }

  /** @param {{ id?: string, session?: string | undefined, inherited?: number }} fields of the new entry @returns {Entry} */
  #add({ id, session, inherited = 0 }) {
    const view = new ContextView(this.#optionsFor(session));
    /** @type {Entry} */ const entry = { view, id, session, inherited, stored: null };
    if (id !== undefined && this.#store !== null) {
      const notify = (/** @type {object} */ event) => this.#notify({ type: 'store', ...event });
      const facts = new ConversationFacts(id, this.#store, { timeoutMs: this.#timeoutMs, notify });
      entry.stored = { facts, lastRequest: Promise.resolve() };
    }
    this.#entries.add(entry);
    if (id !== undefined) this.#byId.set(id, entry);
    while (this.#entries.size > this.#maxViews) this.#drop(/** @type {Entry} */ (this.#entries.values().next().value));
    return entry;
  }

  /** @param {Entry} entry */
  #drop(entry) {
    this.#droppedCosts = sumOfCosts(this.#droppedCosts, viewInternals.costsOf(entry.view, entry.inherited));
    addReport(this.#droppedReport, entry.view.report());
    this.#entries.delete(entry);
    if (entry.id !== undefined) this.#byId.delete(entry.id);
    this.#index.forget(entry);
  }

  /** Marks the conversation as the most recently used, and indexes its messages. @param {Entry} entry @param {readonly any[]} messages */
  #note(entry, messages) {
    // A getter of a message may have called this object, which then dropped the conversation.
    if (!this.#entries.delete(entry)) return;
    this.#entries.add(entry);
    if (entry.id === undefined) this.#index.note(entry, messages);
  }

  /** A view's options. @param {string | undefined} session id in the archive */
  #optionsFor(session) {
    const store = this.#store;
    const compression = /** @type {any} */ (this.#options.compression);
    // With a store, the store's clock decides when a request was sent.
    const arrivalTimes = this.#options.arrivalTimes ?? (store === null ? false : 'store');
    const options = { ...this.#options, arrivalTimes };
    if (!isGiven(compression?.archive)) return options;
    const sessionId = session ?? compression.sessionId ?? NO_SESSION;
    if (store === null) return { ...options, compression: { ...compression, sessionId } };
    return { ...options, compression: withArchive(compression, { timeoutMs: this.#timeoutMs, sessionId }) };
  }
}

/**
 * Writes new facts to the store, and adds those of all processes to the view, in one round trip. @param {View} view @param {Stored['facts']} facts
 * @param {string[]} newFacts as JSON @param {number} now their time, if the store records none @param {AbortSignal | undefined} signal
 */
async function exchange(view, facts, newFacts, now, signal) {
  await facts.exchange(newFacts, signal);
  for (const { fact, atMs } of facts.known) viewInternals.factsOf(view).addStored(fact, atMs);
  for (const fact of newFacts) viewInternals.factsOf(view).addStored(fact, now);
}

/** @param {unknown} options @returns {{ identity: Identity, viewOptions: Record<string, any> }} */
function readRequestOptions(options) {
  const { conversationId, ...viewOptions } = checkOptions(options, OPTIONS.conversation) ?? {};
  const id = optional(readName, 'options.conversationId', conversationId);
  return { identity: { id, isSide: optional(readFlag, 'options.side', viewOptions.side) ?? false }, viewOptions };
}

module.exports = { ContextViews, conversationInternals };
