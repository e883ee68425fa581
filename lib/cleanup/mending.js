// @ts-check
'use strict';

const { jsonText } = require('../json-text.js');

/**
 * @typedef {InstanceType<typeof import('./conversation.js').Conversation>} Conversation
 * @typedef {InstanceType<typeof import('./outcome.js').Outcome>} Outcome
 * @typedef {{ isGone: boolean, rows: number[], calls: number[], repeated: number[] }} Mended what a message lacks (all of it, or the parts of these
 *   rows, or calls whose id another call has), and which of its calls are answered
 * @typedef {ReadonlyMap<number, Mended>} MendedMessages by message; the map of one request never changes
 */

/** Mends what a provider would reject: interrupted calls get an answer, and results without a call are left out. */
class Mending {
  /** @param {string} answer what an interrupted call gets for a result */
  constructor(answer) {
    this.answer = answer;
    /** @type {MendedMessages} */ this.mended = new Map();
    /** The lists that it was made of: the same ones need no look. @type {readonly number[] | null} */ this.dropped =
      null;
    /** @type {readonly number[] | null} */ this.answered = null;
    /** @type {readonly number[] | null} */ this.repeated = null;
    /** Counts up whenever something else is mended. */
    this.version = 0;
    /** The messages that are added, by the message behind which they stand. @type {Map<number, any[]>} */
    this.inserted = new Map();
    /** Copies that hold an answer, or lack a part. @type {Map<number, any>} */ this.copies = new Map();
  }

  /**
   * @param {Conversation} conversation that has decided
   * @returns {number[]} messages that are mended otherwise than before
   */
  update({ decision, layout, transcript }) {
    const { dropped, answered, repeated } = decision;
    if (dropped === this.dropped && answered === this.answered && repeated === this.repeated) return [];
    this.dropped = dropped;
    this.answered = answered;
    this.repeated = repeated;
    /** @type {Map<number, Mended>} */
    const mended = new Map();
    const mend = (/** @type {number} */ row) => {
      const index = layout.ownerOf(row);
      const known = mended.get(index) ?? { isGone: false, rows: [], calls: [], repeated: [] };
      mended.set(index, known);
      return known;
    };
    for (const row of dropped) {
      if (layout.partOf(row) < 0) mend(row).isGone = true;
      else mend(row).rows.push(row);
    }
    for (const call of answered) mend(transcript.calls.rowOf(call)).calls.push(call);
    for (const call of repeated) mend(transcript.calls.rowOf(call)).repeated.push(call);
    const changed = mendedOtherwise(this.mended, mended);
    if (changed.length > 0) [this.mended, this.version] = [mended, this.version + 1];
    return changed;
  }

  /** Forgets the messages from `length` on: others may come in their place. @param {number} length */
  truncate(length) {
    this.dropped = null;
    this.mended = new Map([...this.mended].filter(([index]) => index < length));
  }

  /**
   * The array that is sent; unchanged messages are the same objects as before.
   * @param {Outcome} outcome
   * @param {import('./outcome.js').Copies} copies of replaced messages: they are the same by themselves
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

/** The messages that are mended in one way before and in another after. @param {MendedMessages} before @param {MendedMessages} after */
function mendedOtherwise(before, after) {
  if (before === after) return [];
  const all = [...new Set([...before.keys(), ...after.keys()])].sort((a, b) => a - b);
  return all.filter((index) => jsonText(before.get(index)) !== jsonText(after.get(index)));
}

/** @param {object} a @param {object} b */
function isSame(a, b) {
  try {
    return jsonText(a) === jsonText(b);
  } catch {
    return false;
  }
}

module.exports = { Mending, mendedOtherwise };
