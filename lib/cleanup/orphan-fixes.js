// @ts-check
'use strict';

const { jsonText, safely } = require('../plain-data.js');
const { sameItems } = require('../lists.js');

/**
 * @typedef {InstanceType<typeof import('./conversation.js').Conversation>} Conversation
 *
 * What changes in one message. `rows`: removed parts; `answeredCalls`: those that get a result; `duplicateCalls`: removed, as another call has their id.
 * @typedef {{ isRemoved: boolean, rows: number[], answeredCalls: number[], duplicateCalls: number[] }} Fix
 * @typedef {ReadonlyMap<number, Fix>} Fixes keyed by message; immutable
 */

/** What a view does to orphans, which a provider rejects: interrupted calls get a generated result, and results without a call are removed. */
class OrphanFixes {
  constructor() {
    /** @type {Fixes} */ this.fixes = new Map();
    /** The decision's lists that `fixes` was made from, to skip unchanged ones. @type {readonly (readonly number[])[]} */
    this.lists = [];
    /** Incremented when `fixes` changes. */ this.version = 0;
    /** Messages added to the array that was sent last, keyed by the message before them. @type {Map<number, any[]>} */
    this.inserted = new Map();
    /** Copies with a generated result or without a part. @type {Map<number, any>} */ this.copies = new Map();
  }

  /** Reads the fixes of a decision. @param {Conversation} conversation @returns {number[]} messages whose fixes changed */
  update({ decision, table, transcript }) {
    const { droppedRows, answeredCalls, duplicateCalls } = decision;
    const lists = [droppedRows, answeredCalls, duplicateCalls];
    if (sameItems(lists, this.lists)) return [];
    this.lists = lists;
    /** @type {Map<number, Fix>} */ const fixes = new Map();
    const fixOf = (/** @type {number} */ row) => {
      const index = table.messageOf(row);
      const fix = fixes.get(index) ?? { isRemoved: false, rows: [], answeredCalls: [], duplicateCalls: [] };
      fixes.set(index, fix);
      return fix;
    };
    for (const row of droppedRows) {
      if (table.partOf(row) < 0) fixOf(row).isRemoved = true;
      else fixOf(row).rows.push(row);
    }
    for (const call of answeredCalls) fixOf(transcript.calls.rowOf(call)).answeredCalls.push(call);
    for (const call of duplicateCalls) fixOf(transcript.calls.rowOf(call)).duplicateCalls.push(call);
    const indices = [...new Set([...this.fixes.keys(), ...fixes.keys()])].sort((a, b) => a - b);
    const changed = indices.filter((index) => jsonText(this.fixes.get(index)) !== jsonText(fixes.get(index)));
    if (changed.length > 0) [this.fixes, this.version] = [fixes, this.version + 1];
    return changed;
  }

  /** Forgets the messages from `length` on, because others may replace them. @param {number} length */
  truncate(length) {
    this.lists = [];
    this.fixes = new Map([...this.fixes].filter(([index]) => index < length));
  }

  /**
   * The array that is sent, in which unchanged messages are the same objects as before. `copies` of replaced messages are reused already.
   * @param {InstanceType<typeof import('./outcome.js').Outcome>} outcome @param {import('./outcome.js').Copies} copies @returns {any[]}
   */
  sent(outcome, copies) {
    const { inserted: insertedBefore, copies: copiesBefore } = this;
    [this.inserted, this.copies] = [new Map(), new Map()];
    for (const [index, messages] of outcome.inserted) {
      this.inserted.set(index, sameOrNew(insertedBefore.get(index), messages));
      outcome.inserted.set(index, this.inserted.get(index) ?? []);
    }
    for (const [index, copy] of outcome.changed) {
      if (copies.get(index)?.copy === copy) continue;
      this.copies.set(index, sameOrNew(copiesBefore.get(index), copy));
      outcome.changed.set(index, this.copies.get(index));
    }
    return outcome.toArray();
  }
}

/** `before` if both can be written as JSON, and have the same. @template {object} T @param {T | undefined} before @param {T} after */
function sameOrNew(before, after) {
  return before !== undefined && safely(() => jsonText(before) === jsonText(after)) === true ? before : after;
}

module.exports = { OrphanFixes };
