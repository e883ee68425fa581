// @ts-check
'use strict';

const { jsonText } = require('../json-text.js');
const { sameItems } = require('../lists.js');

/**
 * @typedef {InstanceType<typeof import('./conversation.js').Conversation>} Conversation
 * @typedef {InstanceType<typeof import('./outcome.js').Outcome>} Outcome
 * @typedef {{ isRemoved: boolean, rows: number[], calls: number[], duplicateCalls: number[] }} Mended `rows`: removed parts; `calls`: calls that
 *   get a generated result; `duplicateCalls`: removed calls with a duplicate id
 * @typedef {ReadonlyMap<number, Mended>} MendedMessages keyed by message; immutable
 */

/** Fixes what a provider would reject: interrupted calls get a generated result, and results without a call are removed. */
class Mending {
  constructor() {
    /** @type {MendedMessages} */ this.fixes = new Map();
    /** The decision's lists that `fixes` was made from, to skip unchanged ones. @type {readonly (readonly number[])[]} */
    this.lists = [];
    /** Incremented when `fixes` changes. */
    this.version = 0;
    /** Added messages, keyed by the message before them. @type {Map<number, any[]>} */
    this.inserted = new Map();
    /** Copies with a generated result or without a part. @type {Map<number, any>} */ this.copies = new Map();
  }

  /**
   * @param {Conversation} conversation after its decision
   * @returns {number[]} messages whose fixes changed
   */
  update({ decision, layout, transcript }) {
    const { dropped, answered, repeated } = decision;
    const lists = [dropped, answered, repeated];
    if (sameItems(lists, this.lists)) return [];
    this.lists = lists;
    /** @type {Map<number, Mended>} */
    const fixes = new Map();
    const fixOf = (/** @type {number} */ row) => {
      const index = layout.messageOf(row);
      const known = fixes.get(index) ?? { isRemoved: false, rows: [], calls: [], duplicateCalls: [] };
      fixes.set(index, known);
      return known;
    };
    for (const row of dropped) {
      if (layout.partOf(row) < 0) fixOf(row).isRemoved = true;
      else fixOf(row).rows.push(row);
    }
    for (const call of answered) fixOf(transcript.calls.rowOf(call)).calls.push(call);
    for (const call of repeated) fixOf(transcript.calls.rowOf(call)).duplicateCalls.push(call);
    const changed = changedFixes(this.fixes, fixes);
    if (changed.length > 0) [this.fixes, this.version] = [fixes, this.version + 1];
    return changed;
  }

  /** Forgets the messages from `length` on, because others may replace them. @param {number} length */
  truncate(length) {
    this.lists = [];
    this.fixes = new Map([...this.fixes].filter(([index]) => index < length));
  }

  /**
   * The array that is sent, in which unchanged messages are the same objects as before.
   * @param {Outcome} outcome
   * @param {import('./outcome.js').Copies} copies copies of replaced messages, which are reused already
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

/** The messages whose fixes differ between `before` and `after`. @param {MendedMessages} before @param {MendedMessages} after */
function changedFixes(before, after) {
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

module.exports = { Mending };
