// @ts-check
'use strict';

const { sameItems } = require('../lists.js');
const { Stamp } = require('../messages/stamp.js');
const { countForms } = require('../messages/unrecognised.js');
const { countOf, readMessage } = require('./message.js');

/** Number of messages at the end by which a known conversation is found, because applications often append one that isn't stored. */
const LOOK_BACK = 16;
/** Shorter texts are counted right away. */
const LONG_UNITS = 1 << 16;
const NO_FORMS = countForms([]);

/** @typedef {import('./message.js').Countable} Countable */
/** @typedef {import('../messages/choice.js').Forced} Forced */

/** A message as it was when it was counted. */
class Counted {
  /** @param {any} message @param {number} tokens @param {Countable} found */
  constructor(message, tokens, found) {
    this.message = message;
    this.tokens = tokens;
    this.found = found;
    this.stamp = new Stamp(message);
  }

  /** @param {any} message @param {Forced} [forced] */
  holds(message, forced) {
    if (this.stamp.isUnchanged(message)) return true;
    if (!sameCountable(readMessage(message, forced), this.found)) return false;
    this.stamp = new Stamp(message);
    return true;
  }
}

/** @type {('texts' | 'images' | 'lowDetail' | 'pdfBytes')[]} */
const LISTS = ['texts', 'images', 'lowDetail', 'pdfBytes'];

/** @param {Countable} a @param {Countable} b */
function sameCountable(a, b) {
  return a.toolCalls === b.toolCalls && a.hasName === b.hasName && LISTS.every((list) => sameItems(a[list], b[list]));
}

/** Caches token counts. An agent's array only grows, so comparing with the last array by index is faster than a lookup in a map. */
class CountMemo {
  /** @param {InstanceType<typeof import('../native.js').TokenModel>} model @param {Forced} [forced] */
  constructor(model, forced) {
    this.model = model;
    this.forced = forced;
    /** Tokens above which a text is only estimated: see `TokenModel.countMessage`. */
    this.enough = Number.POSITIVE_INFINITY;
    /** @type {WeakMap<object, Counted>} */ this.byMessage = new WeakMap();
    /** Counts by a conversation's last message, which keeps them alive. @type {WeakMap<object, Counted[]>} */ this.columns =
      new WeakMap();
    /** True if any counted message had an unrecognised form. */
    this.hasForms = false;
  }

  /**
   * The counts of the conversation that `messages` continue; empty if none is known.
   * @param {readonly unknown[]} messages @returns {(Counted | undefined)[]}
   */
  conversation(messages) {
    const stop = Math.max(0, messages.length - LOOK_BACK);
    for (let index = messages.length - 1; index >= stop; index--) {
      const message = messages[index];
      const found = typeof message === 'object' && message !== null ? this.columns.get(message) : undefined;
      if (found !== undefined) return found;
    }
    return [];
  }

  /** @param {readonly unknown[]} messages @param {(Counted | undefined)[]} column */
  remember(messages, column) {
    column.length = messages.length;
    const last = messages[messages.length - 1];
    if (typeof last === 'object' && last !== null) this.columns.set(last, /** @type {Counted[]} */ (column));
  }

  /**
   * The message's tokens, not rounded; an unchanged message is not counted again.
   * @param {readonly any[]} messages @param {number} index @param {(Counted | undefined)[]} column @returns {number}
   */
  tokensAt(messages, index, column) {
    try {
      const message = messages[index];
      const known = column[index];
      if (known !== undefined && known.message === message && known.holds(message, this.forced)) return known.tokens;
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

  /**
   * True if an uncounted long text alone exceeds `budget` tokens, without counting all of it.
   * @param {readonly any[]} messages @param {number} index @param {(Counted | undefined)[]} column @param {number} budget
   */
  exceeds(messages, index, column, budget) {
    try {
      const message = messages[index];
      const content = message?.content;
      if (typeof content !== 'string' || content.length < LONG_UNITS || column[index]?.message === message)
        return false;
      return !this.byMessage.has(message) && !this.model.fits(content, Math.max(0, budget));
    } catch {
      return false;
    }
  }

  /** @param {any} message @returns {Counted | undefined} undefined for an empty slot */
  count(message) {
    if (message === null || message === undefined) return undefined;
    if (typeof message !== 'object') {
      const found = readMessage(message, this.forced);
      this.hasForms = true;
      return new Counted(message, this.measure(found), found);
    }
    const known = this.byMessage.get(message);
    if (known?.holds(message, this.forced)) return known;
    const found = readMessage(message, this.forced);
    this.hasForms ||= found.form !== null;
    const counted = new Counted(message, this.measure(found), found);
    this.byMessage.set(message, counted);
    return counted;
  }

  /** Reuses a count for a copy with the same content. @param {any} copy @param {any} message */
  adopt(copy, message) {
    const known = safely(() => this.byMessage.get(message));
    if (safely(() => known?.holds(copy)) === true) this.know(copy, /** @type {Counted} */ (known).tokens);
  }

  /** @param {any} message @param {number} tokens counted elsewhere */
  know(message, tokens) {
    safely(() => this.byMessage.set(message, new Counted(message, tokens, readMessage(message))));
  }

  /** @param {readonly (Counted | undefined)[]} column */
  formsIn(column) {
    if (!this.hasForms) return NO_FORMS;
    return countForms(column.flatMap((counted) => counted?.found.form ?? []));
  }

  /** @param {Countable} found */
  measure(found) {
    return countOf(this.model, found, this.enough);
  }
}

/** @template T @param {() => T} read @returns {T | undefined} */
function safely(read) {
  try {
    return read();
  } catch {
    return undefined;
  }
}

module.exports = { Counted, CountMemo };
