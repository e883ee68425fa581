// @ts-check
'use strict';

const { copyOfList, sameItems } = require('../lists.js');
const { isObject, safely } = require('../plain-data.js');
const { Stamp } = require('../messages/stamp.js');
const { countForms } = require('../messages/form.js');
const { countOf, readMessage } = require('./message.js');

/** Number of messages at the end by which a known conversation is found, because applications often append one that isn't stored. */
const LOOK_BACK = 16;
/** In UTF-16 units. Shorter texts are always counted completely. */ const LONG_UNITS = 1 << 16;
const NO_FORMS = countForms([]);

/**
 * @typedef {import('./message.js').Countable} Countable
 * @typedef {import('../messages/choice.js').Forced} Forced
 * @typedef {(Counted | undefined)[]} Column the count of each message of a conversation, by index
 */

/** A message's count, and what it was counted from. */
class Counted {
  /** @param {any} message @param {number} tokens @param {Countable} countable */
  constructor(message, tokens, countable) {
    this.message = message;
    this.tokens = tokens;
    this.countable = countable;
    this.stamp = new Stamp(message);
  }

  /** True if the count applies to `message`: the same object, or a copy. @param {any} message @param {Forced} [forced] */
  appliesTo(message, forced) {
    if (this.stamp.isUnchanged(message)) return true;
    if (!isSameCountable(readMessage(message, forced), this.countable)) return false;
    this.stamp = new Stamp(message);
    return true;
  }
}

/** @type {('texts' | 'images' | 'lowDetail' | 'pdfBytes')[]} */
const LISTS = ['texts', 'images', 'lowDetail', 'pdfBytes'];

/** @param {Countable} a @param {Countable} b */
const isSameCountable = (a, b) =>
  a.toolCalls === b.toolCalls && a.hasName === b.hasName && LISTS.every((list) => sameItems(a[list], b[list]));

/** Caches token counts, in columns too: an agent's array only grows, so comparing with the last array is faster than a lookup in a map. */
class CountMemo {
  /** @param {InstanceType<typeof import('../native.js').TokenModel>} model @param {Forced} [forced] */
  constructor(model, forced) {
    this.model = model;
    this.forced = forced;
    /** Tokens above which a text is only estimated: see `TokenModel.countMessage`. */
    this.exactUpTo = Number.POSITIVE_INFINITY;
    /** @type {WeakMap<object, Counted>} */ this.byMessage = new WeakMap();
    /** Keyed by a conversation's last message. @type {WeakMap<object, Column>} */ this.columns = new WeakMap();
    /** True if any counted message had an unrecognised form. */ this.hasForms = false;
  }

  /** The column of the conversation that `messages` continue. @param {readonly unknown[]} messages @returns {Column} */
  columnOf(messages) {
    const newest = copyOfList(messages, Math.max(0, messages.length - LOOK_BACK));
    const last = newest.findLast((message) => isObject(message) && this.columns.has(message));
    return this.columns.get(/** @type {object} */ (last)) ?? [];
  }

  /** Keeps a column for the next call. @param {readonly unknown[]} messages @param {Column} column */
  remember(messages, column) {
    column.length = messages.length;
    const last = messages[messages.length - 1];
    if (isObject(last)) this.columns.set(last, column);
  }

  /** Not rounded; an unchanged message is not counted again. @param {readonly any[]} messages @param {number} index @param {Column} column */
  tokensAt(messages, index, column) {
    try {
      const message = messages[index];
      const cached = column[index];
      if (cached?.message === message && cached?.appliesTo(message, this.forced)) return cached.tokens;
      const counted = this.count(message);
      column[index] = counted;
      return counted === undefined ? this.measure(readMessage(null)) : counted.tokens;
    } catch {
      // A getter or proxy throws: the readable part is counted, and not cached.
      column[index] = undefined;
      const message = safely(() => messages[index]);
      return this.measure(readMessage(message, this.forced));
    }
  }

  /** True if an uncounted long text alone exceeds `budget` tokens. @param {readonly any[]} messages @param {number} index @param {Column} column @param {number} budget */
  exceeds(messages, index, column, budget) {
    try {
      const message = messages[index];
      const content = message?.content;
      const isLong = typeof content === 'string' && content.length >= LONG_UNITS;
      if (!isLong || column[index]?.message === message || this.byMessage.has(message)) return false;
      return !this.model.fits(content, Math.max(0, budget));
    } catch {
      return false;
    }
  }

  /** The cached count of a message, or a new one. @param {any} message @returns {Counted | undefined} undefined for an empty slot */
  count(message) {
    if (message === null || message === undefined) return undefined;
    const cached = this.byMessage.get(message);
    if (cached?.appliesTo(message, this.forced)) return cached;
    const countable = readMessage(message, this.forced);
    this.hasForms ||= countable.form !== null;
    const counted = new Counted(message, this.measure(countable), countable);
    if (isObject(message)) this.byMessage.set(message, counted);
    return counted;
  }

  /** Reuses a count for a copy with the same content. @param {any} copy @param {any} message */
  reuseFor(copy, message) {
    const cached = safely(() => this.byMessage.get(message));
    if (safely(() => cached?.appliesTo(copy)) === true) this.set(copy, /** @type {Counted} */ (cached).tokens);
  }

  /** @param {any} message @param {number} tokens counted elsewhere */
  set(message, tokens) {
    safely(() => this.byMessage.set(message, new Counted(message, tokens, readMessage(message))));
  }

  /** Count of messages with an unrecognised form, for each form. @param {readonly (Counted | undefined)[]} column */
  formsIn(column) {
    if (!this.hasForms) return NO_FORMS;
    return countForms(column.flatMap((counted) => counted?.countable.form ?? []));
  }

  /** Tokens, not rounded. @param {Countable} countable */
  measure(countable) {
    return countOf(this.model, countable, this.exactUpTo);
  }
}

module.exports = { CountMemo };
