// @ts-check
'use strict';

const { checkMessages, checkOptions } = require('../arguments.js');
const { outOfRange, wrongType } = require('../errors.js');
const { OPTIONS } = require('../option-names.js');
const { ContextView, sharedWith } = require('./context-view.js');
const { leadingSystem } = require('./marks.js');

/** @typedef {InstanceType<typeof ContextView>} View */

/** How many views are kept; beyond that the one that was used least recently is forgotten. */
const MAX_VIEWS = 64;
/** How many messages at the end may differ from request to request: hosts append one that isn't stored. */
const UNSTABLE_END = 1;
/** Hosts write the time into the system prompt. What then tells a conversation is a request and an answer, at least. */
const TELLING_LENGTH = 2;

/** Many conversations at once, each with a view of its own that is found by the messages themselves. */
class ContextViews {
  #options;
  #max;
  /** The one asked for last at the end. @type {View[]} */
  #views = [];

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
    this.#options = rest;
    // A view is made now so that wrong options throw here.
    new ContextView(rest);
  }

  get size() {
    return this.#views.length;
  }

  /** @param {readonly any[]} messages @param {unknown} [options] */
  project(messages, options) {
    return this.viewFor(messages).project(messages, options);
  }

  /** @param {readonly any[]} messages @param {unknown} [options] */
  prepare(messages, options) {
    return this.viewFor(messages).prepare(messages, options);
  }

  /**
   * The view of the conversation that `messages` continue or rewind. Where they branch off from a conversation that goes on,
   * they get a new view, which starts from what both share.
   * @param {readonly any[]} messages
   * @returns {View}
   */
  viewFor(messages) {
    checkMessages(messages);
    const found = this.#nearest(messages);
    const view = found === undefined ? new ContextView(this.#options) : this.#of(found);
    this.#views.push(view);
    if (this.#views.length > this.#max) this.#views.shift();
    return view;
  }

  /** @param {{ view: View, isSame: boolean }} found */
  #of({ view, isSame }) {
    if (!isSame) return ContextView.import(view.export(), this.#options);
    this.#views.splice(this.#views.indexOf(view), 1);
    return view;
  }

  /** @param {readonly any[]} messages */
  #nearest(messages) {
    const system = leadingSystem(messages);
    let best = { view: /** @type {View | undefined} */ (undefined), shared: system, rank: 0 };
    for (let at = this.#views.length - 1; at >= 0; at--) {
      const view = /** @type {View} */ (this.#views[at]);
      const { shared, length, isSystemSame } = sharedWith(view, messages, system);
      if (shared < system + (isSystemSame ? 1 : TELLING_LENGTH)) continue;
      const isSame = shared >= length - UNSTABLE_END || shared === messages.length;
      const rank = (isSystemSame ? 2 : 0) + (isSame ? 1 : 0);
      if (shared > best.shared || (shared === best.shared && rank > best.rank)) best = { view, shared, rank };
    }
    return best.view === undefined ? undefined : { view: best.view, isSame: best.rank % 2 === 1 };
  }
}

module.exports = { ContextViews };
