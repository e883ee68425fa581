// @ts-check
'use strict';

const { checkMessages, checkOptions, nowFrom, optional, readFlag, readText } = require('../arguments.js');
const { outOfRange, wrongType } = require('../errors.js');
const { OPTIONS } = require('../option-names.js');
const { ContextView, inner } = require('./context-view.js');
const { ledgerOf, Totals } = require('./costs.js');
const { leadingSystem } = require('./marks.js');

/** @typedef {InstanceType<typeof ContextView>} View */
/**
 * One conversation, or one branch of it.
 * @typedef {object} Branch
 * @property {View} view
 * @property {string | undefined} id what the host calls it
 * @property {string} scope what stands ahead of its messages: model, system prompt, tools
 * @property {number} before requests that its view had asked for when the scope became this one
 * @property {Branch} [from] the conversation that it branched off from, with another system prompt or model
 */
/** What tells a conversation, beside its messages. @typedef {{ id?: string | undefined, scope?: string, isSide?: boolean }} Told */

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

  /** @param {unknown} [options] */
  constructor(options) {
    const given = checkOptions(options, OPTIONS.views);
    const { maxViews: wanted, ...rest } = given ?? {};
    const maxViews = wanted ?? MAX_VIEWS;
    if (typeof maxViews !== 'number') throw wrongType('options.maxViews', 'a number', maxViews);
    if (!Number.isSafeInteger(maxViews) || maxViews < 1) {
      throw outOfRange('options.maxViews', 'an integer above zero', String(maxViews));
    }
    this.#max = maxViews;
    this.#options = /** @type {Record<string, unknown>} */ ({ ...rest, memory: rest.memory ?? 'messages' });
    // A view is made now so that wrong options throw here.
    new ContextView(this.#options);
  }

  get size() {
    return this.#branches.length;
  }

  /** The views of the conversations that are remembered, the one asked for last at the end. @returns {IterableIterator<View>} */
  [Symbol.iterator]() {
    return this.#branches.map(({ view }) => view)[Symbol.iterator]();
  }

  /** What all requests have cost, those of forgotten conversations included. */
  ledger() {
    for (const { view } of this.#branches) this.#totals.add(view);
    return ledgerOf(this.#totals.sum());
  }

  /** @param {readonly any[]} messages @param {unknown} [options] */
  project(messages, options) {
    checkMessages(messages);
    return this.#viewFor(messages, toldBy(options)).project(messages, viewOptions(options));
  }

  /** @param {readonly any[]} messages @param {unknown} [options] */
  prepare(messages, options) {
    checkMessages(messages);
    return this.#viewFor(messages, toldBy(options)).prepare(messages, viewOptions(options));
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
    return this.#viewFor(messages, toldBy(options));
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
      return named ?? { view: this.#new(), id, scope, before: 0 };
    }
    const found = this.#nearest(messages, scope);
    if (found === undefined) return { view: this.#new(), id, scope, before: 0 };
    const { branch, isSame, isWhole, isOtherStart } = found;
    // A host that dates its system prompt asks once with each: then the conversation goes on with the newest.
    if (isSide) return branch;
    const requests = inner.requestsOf(branch.view);
    if (isSame && (!isOtherStart || requests - branch.before <= 1)) {
      if (isOtherStart) Object.assign(branch, { scope, before: requests });
      return branch;
    }
    const view = this.#copyOf(branch.view);
    return { view, id, scope, before: inner.requestsOf(view), ...(isOtherStart && isWhole && { from: branch }) };
  }

  #new() {
    const view = new ContextView(this.#options);
    this.#totals.begin(view);
    return view;
  }

  /** A view that starts from what another has; by messages alone it finds that out by itself. @param {View} view */
  #copyOf(view) {
    if (this.#options.memory === 'messages' && this.#options.compression === undefined) return this.#new();
    const copy = ContextView.import(view.export(), this.#options);
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

/** @param {unknown} options @returns {Told & { now: number }} */
function toldBy(options) {
  const given = checkOptions(options, OPTIONS.conversation);
  return {
    id: optional(readText, 'options.conversationId', given?.conversationId),
    isSide: optional(readFlag, 'options.side', given?.side) ?? false,
    scope: typeof given?.scope === 'string' ? given.scope : '',
    now: nowFrom(given),
  };
}

/** What the view itself takes. @param {unknown} options */
function viewOptions(options) {
  const { conversationId: _, scope: __, ...rest } = checkOptions(options, OPTIONS.conversation) ?? {};
  return rest;
}

module.exports = { ContextViews };
