// @ts-check
'use strict';

const { checkMessages, checkOptions, nowFrom, optional, readFlag, readSignal, readText } = require('../arguments.js');
const { outOfRange, wrongType } = require('../errors.js');
const { OPTIONS } = require('../option-names.js');
const { ContextView, inner } = require('./context-view.js');
const { ledgerOf, Totals } = require('./costs.js');
const { fingerprintOf } = require('../messages/likeness.js');
const { listenerFrom } = require('./listener.js');
const { leadingSystem } = require('./marks.js');
const { ViewsStore } = require('../stores/views-store.js');

/** @typedef {InstanceType<typeof ContextView>} View */
/**
 * One conversation, or one branch of it.
 * @typedef {object} Branch
 * @property {View} view
 * @property {string | undefined} id what the host calls it
 * @property {string} scope what stands ahead of its messages: model, system prompt, tools
 * @property {number} before requests that its view had asked for when the scope became this one
 * @property {string} [session] of the archive, where its originals go
 * @property {Branch} [from] the conversation that it branched off from, with another system prompt or model
 */
/** What tells a conversation, beside its messages. @typedef {{ id?: string | undefined, scope?: string, isSide?: boolean }} Told */
/** @typedef {import('./context-view.js').Ahead} Ahead */

/** What adapters ask of views. @type {{
 *   ask: (views: ContextViews, messages: readonly any[], options: unknown) => Promise<{ view: View, prepared: any }>,
 * }} */
let innerViews;

/** How many views are kept; beyond that the one that was used least recently is forgotten. */
const MAX_VIEWS = 64;
/** How many messages at the end may differ from request to request: hosts append one that isn't stored. */
const UNSTABLE_END = 1;
/**
 * Hosts write the time into the system prompt, and ask another model for a title. What then tells a conversation is a request
 * and an answer, at least.
 */
const TELLING_LENGTH = 2;

/** Many conversations at once, each with a view of its own that is found by the messages themselves, or by the host's id. */
class ContextViews {
  #options;
  #max;
  /** The one asked for last at the end. @type {Branch[]} */
  #branches = [];
  #totals = new Totals(inner.costsOf);
  /** @type {InstanceType<typeof ViewsStore> | undefined} */ #store;
  /** How many conversations without a name have a session of the archive. */
  #sessions = 0;

  /** @param {unknown} [options] */
  constructor(options) {
    const given = checkOptions(options, OPTIONS.views);
    const { maxViews: wanted, store, storeTimeoutMs, onEvent, ...rest } = given ?? {};
    const maxViews = wanted ?? MAX_VIEWS;
    if (typeof maxViews !== 'number') throw wrongType('options.maxViews', 'a number', maxViews);
    if (!Number.isSafeInteger(maxViews) || maxViews < 1) {
      throw outOfRange('options.maxViews', 'an integer above zero', String(maxViews));
    }
    this.#max = maxViews;
    this.#options = /** @type {Record<string, unknown>} */ ({ ...rest, memory: rest.memory ?? 'messages' });
    const tell = listenerFrom(onEvent);
    // A view is made now so that wrong options throw here.
    new ContextView(this.#optionsIn(store === undefined || store === null ? undefined : 'any'));
    if (store === undefined || store === null) return;
    const told = {
      tell: (/** @type {object} */ event) => tell({ type: 'store', ...event }),
      begun: (/** @type {View} */ view) => this.#totals.begin(view),
      sent: (/** @type {View} */ view) => this.#totals.add(view),
    };
    const stored = { ...this.#options, memory: rest.memory ?? 'object' };
    this.#store = new ViewsStore({ store, storeTimeoutMs, max: maxViews }, told, stored);
  }

  get size() {
    return this.#views.length;
  }

  get #views() {
    return [...(this.#store?.views() ?? []), ...this.#branches.map(({ view }) => view)];
  }

  /** The views of the conversations that are remembered, the one asked for last at the end. @returns {IterableIterator<View>} */
  [Symbol.iterator]() {
    return this.#views[Symbol.iterator]();
  }

  /** What all requests have cost, those of forgotten conversations included. */
  ledger() {
    for (const view of this.#views) this.#totals.add(view);
    return ledgerOf(this.#totals.sum());
  }

  /**
   * Writes to the store what has come since the last requests: reports, which the next request of their conversation would take along.
   * @param {unknown} [options]
   * @returns {Promise<boolean>} whether all is stored
   */
  async flush(options) {
    const signal = optional(readSignal, 'options.signal', checkOptions(options, OPTIONS.flush)?.signal);
    return (await this.#store?.flush(signal)) ?? true;
  }

  /** @param {readonly any[]} messages @param {unknown} [options] */
  project(messages, options) {
    checkMessages(messages);
    this.#refuseStore('project()');
    return this.#viewFor(messages, toldBy(options)).project(messages, viewOptions(options));
  }

  /** @param {readonly any[]} messages @param {unknown} [options] */
  async prepare(messages, options) {
    return (await this.#ask(messages, options)).prepared;
  }

  /**
   * @param {readonly any[]} messages
   * @param {unknown} options
   * @returns {Promise<{ view: View, prepared: any }>}
   */
  async #ask(messages, options) {
    checkMessages(messages);
    const told = toldBy(options);
    const { id, scope, isSide, ahead } = told;
    const asked = viewOptions(options);
    if (this.#store !== undefined && id === undefined && !isSide) {
      throw wrongType('options.conversationId', 'a string, which names the conversation in the store', id);
    }
    if (this.#store !== undefined && id !== undefined) {
      const start = fingerprintOf([scope, ...messages.slice(0, leadingSystem(messages))]) ?? 0;
      const own = await this.#store.conversation(id).prepare({ messages, options: asked, start, ahead });
      if (own !== null) return own;
    }
    const view = this.#viewFor(messages, this.#store === undefined ? told : { ...told, id: undefined });
    if (ahead !== undefined && !isSide) inner.setAhead(view, ahead);
    return { view, prepared: await view.prepare(messages, asked) };
  }

  /** @param {string} call */
  #refuseStore(call) {
    if (this.#store === undefined) return;
    throw outOfRange('options.store', `none for ${call}, which can't wait for one: use prepare()`, 'one');
  }

  /**
   * The view of the conversation that `messages` continue or rewind. Where they branch off from a conversation that goes on,
   * they get a new view, which starts from what both share.
   * @param {readonly any[]} messages
   * @param {unknown} [options]
   * @returns {View}
   */
  viewFor(messages, options) {
    checkMessages(messages);
    this.#refuseStore('viewFor()');
    return this.#viewFor(messages, toldBy(options));
  }

  static {
    innerViews = { ask: (views, messages, options) => views.#ask(messages, options) };
  }

  /** @param {readonly any[]} messages @param {Told & { now: number }} told */
  #viewFor(messages, told) {
    const branch = this.#branchFor(messages, told);
    const others = this.#branches.filter((other) => other !== branch);
    this.#branches = [...others, branch];
    for (const { view, from } of others) if (from === branch) inner.standBeside(view);
    // The prefix that conversations share is kept in the cache by whichever asks.
    if (this.#options.memory === 'object') {
      for (const { view } of others) if (sharesStart(view, messages)) inner.touch(view, told.now);
    }
    while (this.#branches.length > this.#max) {
      const forgotten = /** @type {Branch} */ (this.#branches.shift());
      this.#totals.add(forgotten.view);
    }
    return branch.view;
  }

  /** @param {readonly any[]} messages @param {Told} told @returns {Branch} */
  #branchFor(messages, { id, scope = '', isSide = false }) {
    if (id !== undefined) {
      const named = this.#branches.find((branch) => branch.id === id);
      return named ?? { view: this.#new(id), id, scope, before: 0, session: id };
    }
    const found = this.#nearest(messages, scope);
    if (found === undefined) {
      const session = this.#session();
      return { view: this.#new(session), id, scope, before: 0, ...(session !== undefined && { session }) };
    }
    const { branch, isSame, isWhole, isOtherStart } = found;
    // A host that dates its system prompt asks once with each: then the conversation goes on with the newest.
    if (isSide) return branch;
    const requests = inner.requestsOf(branch.view);
    if (isSame && (!isOtherStart || requests - branch.before <= 1)) {
      if (isOtherStart) Object.assign(branch, { scope, before: requests });
      return branch;
    }
    const { session } = branch;
    const view = this.#copyOf(branch.view, session);
    const from = isOtherStart && isWhole ? { from: branch } : {};
    return { view, id, scope, before: inner.requestsOf(view), ...from, ...(session !== undefined && { session }) };
  }

  /** The archive's session of a conversation without a name: no two share one but those that branch off from each other. */
  #session() {
    const { sessionId } = /** @type {any} */ (this.#options.compression ?? {});
    const nth = ++this.#sessions;
    return typeof sessionId !== 'string' || nth === 1 ? sessionId : `${sessionId}/${nth}`;
  }

  /** @param {string | undefined} session of the archive */
  #optionsIn(session) {
    const compression = /** @type {any} */ (this.#options.compression ?? {});
    if (session === undefined || (compression.archive ?? null) === null) return this.#options;
    return { ...this.#options, compression: { ...compression, sessionId: session } };
  }

  /** @param {string | undefined} session */
  #new(session) {
    const view = new ContextView(this.#optionsIn(session));
    this.#totals.begin(view);
    return view;
  }

  /** A view that starts from what another has; by messages alone it finds that out by itself. @param {View} view @param {string | undefined} session */
  #copyOf(view, session) {
    if (this.#options.memory === 'messages' && this.#options.compression === undefined) return this.#new(session);
    const copy = ContextView.import(view.export(), this.#optionsIn(session));
    this.#totals.begin(copy);
    return copy;
  }

  /** @param {readonly any[]} messages @param {string} scope */
  #nearest(messages, scope) {
    const system = leadingSystem(messages);
    let best = { branch: /** @type {Branch | undefined} */ (undefined), shared: system, rank: 0, isWhole: false };
    for (let at = this.#branches.length - 1; at >= 0; at--) {
      const branch = /** @type {Branch} */ (this.#branches[at]);
      if (branch.id !== undefined) continue;
      const { shared, length, isSystemSame } = inner.sharedWith(branch.view, messages, system);
      const isSameStart = isSystemSame && branch.scope === scope;
      if (shared < system + (isSameStart ? 1 : TELLING_LENGTH)) continue;
      const isSame = shared >= length - UNSTABLE_END || shared === messages.length;
      const rank = (isSameStart ? 2 : 0) + (isSame ? 1 : 0);
      if (
        rank - best.rank >= 2 ||
        (shared > best.shared && rank >= best.rank - 1) ||
        (shared === best.shared && rank > best.rank)
      ) {
        // A title has all messages of its conversation; that one never has a title's last.
        best = { branch, shared, rank, isWhole: shared === length };
      }
    }
    const { branch, rank, isWhole } = best;
    return branch === undefined ? undefined : { branch, isSame: rank % 2 === 1, isWhole, isOtherStart: rank < 2 };
  }
}

/** @param {View} view @param {readonly any[]} messages */
function sharesStart(view, messages) {
  const system = leadingSystem(messages);
  const { shared, isSystemSame } = inner.sharedWith(view, messages.slice(0, system + 1), system);
  return isSystemSame && shared === Math.min(system + 1, messages.length);
}

/** @param {unknown} options @returns {Told & { now: number, ahead: Ahead | undefined }} */
function toldBy(options) {
  const given = checkOptions(options, OPTIONS.conversation);
  return {
    id: optional(readText, 'options.conversationId', given?.conversationId),
    isSide: optional(readFlag, 'options.side', given?.side) ?? false,
    scope: typeof given?.scope === 'string' ? given.scope : '',
    ahead: /** @type {Ahead | undefined} */ (given?.ahead),
    now: nowFrom(given),
  };
}

/** What the view itself takes. @param {unknown} options */
function viewOptions(options) {
  const { conversationId: _, scope: __, ahead: ___, ...rest } = checkOptions(options, OPTIONS.conversation) ?? {};
  return rest;
}

module.exports = {
  ContextViews,
  /** @type {NonNullable<typeof innerViews>['ask']} */
  askOf: (views, messages, options) => innerViews.ask(views, messages, options),
};
