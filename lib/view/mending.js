// @ts-check
'use strict';

const { jsonText } = require('../json-text.js');
const { weightOf } = require('./weight.js');

/**
 * @typedef {InstanceType<typeof import('../cleanup/conversation.js').Conversation>} Conversation
 * @typedef {InstanceType<typeof import('../cleanup/outcome.js').Outcome>} Outcome
 * @typedef {{ isGone: boolean, added: number }} Mended `added`: tokens, negative where a part went
 */

/** @type {Mended} */
const AS_IT_IS = Object.freeze({ isGone: false, added: 0 });

/** Mends what a provider would reject: interrupted calls get an answer, and results without a call are left out. */
class Mending {
  /** @param {string} answer what an interrupted call gets for a result */
  constructor(answer) {
    this.answer = answer;
    /** @type {Map<number, Mended>} */ this.mended = new Map();
    this.key = ';';
    /** The lists that it was made of: the same ones need no look. @type {readonly number[] | null} */ this.dropped =
      null;
    /** @type {readonly number[] | null} */ this.answered = null;
    /** Counts up whenever something else is mended. */
    this.version = 0;
    /** The messages that are added, by the message behind which they stand. @type {Map<number, any[]>} */
    this.inserted = new Map();
    /** Copies that hold an answer, or lack a part. @type {Map<number, any>} */ this.copies = new Map();
  }

  /**
   * @param {Conversation} conversation that has decided
   * @param {InstanceType<typeof import('./weighed.js').WeighedMessages>} weighed
   * @returns {number[]} messages that are mended otherwise than before
   */
  update(conversation, weighed) {
    const { decision, layout, transcript } = conversation;
    const { dropped, answered } = decision;
    if (dropped === this.dropped && answered === this.answered) return [];
    const key = `${dropped.join()};${answered.join()}`;
    Object.assign(this, { dropped, answered });
    if (key === this.key) return [];
    this.key = key;
    this.version++;
    const before = this.mended;
    this.mended = new Map();
    for (const row of dropped) {
      const isGone = layout.partOf(row) < 0;
      this.#add(layout.ownerOf(row), isGone, isGone ? 0 : -weighed.ofRow(conversation, row));
    }
    const own = answered.length > 0 ? weightOf({ role: 'tool', content: this.answer }, weighed.isCoarse) : 0;
    for (const call of answered) this.#add(layout.ownerOf(transcript.calls.rowOf(call)), false, own);
    const all = new Set([...before.keys(), ...this.mended.keys()]);
    return [...all].filter((index) => {
      const [was, is] = [before.get(index) ?? AS_IT_IS, this.mended.get(index) ?? AS_IT_IS];
      return was.isGone !== is.isGone || was.added !== is.added;
    });
  }

  /** @param {number} index @param {boolean} isGone @param {number} added */
  #add(index, isGone, added) {
    const known = this.mended.get(index) ?? AS_IT_IS;
    this.mended.set(index, { isGone: known.isGone || isGone, added: known.added + added });
  }

  /** Forgets the messages from `length` on: others may come in their place. @param {number} length */
  truncate(length) {
    this.key = '?';
    this.dropped = null;
    for (const index of this.mended.keys()) if (index >= length) this.mended.delete(index);
  }

  /** What a message of the weight `stored` weighs once it is mended. @param {number} index @param {number} stored */
  weight(index, stored) {
    const { isGone, added } = this.mended.get(index) ?? AS_IT_IS;
    return isGone ? 0 : Math.max(1, stored + added);
  }

  /**
   * The array that is sent; unchanged messages are the same objects as before.
   * @param {Outcome} outcome
   * @param {import('../cleanup/outcome.js').Copies} copies of replaced messages: they are the same by themselves
   * @returns {any[]}
   */
  sent(outcome, copies) {
    const { inserted, copies: before } = this;
    this.inserted = new Map();
    this.copies = new Map();
    for (const [index, messages] of outcome.inserted) {
      const known = inserted.get(index);
      const same = known !== undefined && isSame(known, messages) ? known : messages;
      this.inserted.set(index, same);
      outcome.inserted.set(index, same);
    }
    for (const [index, copy] of outcome.changed) {
      if (copies.get(index)?.copy === copy) continue;
      const known = before.get(index);
      const same = known !== undefined && isSame(known, copy) ? known : copy;
      this.copies.set(index, same);
      outcome.changed.set(index, same);
    }
    return outcome.toArray();
  }
}

/** @param {object} a @param {object} b */
function isSame(a, b) {
  try {
    return jsonText(a) === jsonText(b);
  } catch {
    return false;
  }
}

module.exports = { Mending };
