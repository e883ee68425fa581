// @ts-check
'use strict';

/** Flags of a call id: a rule covers the call; there is a result. */
const COVERED = 1;
const HAS_RESULT = 2;

/** @type {readonly number[]} */ const NONE = Object.freeze([]);

/** Links the rows of each id, so that they are found without scanning the conversation. */
class RowsById {
  constructor() {
    /** For each id number, its last row, or −1. @type {number[]} */ this.last = [];
    /** For each row, the previous row of the same id, or −1. @type {number[]} */ this.previous = [];
  }

  /** The last row of an id, or −1. @param {number} number @returns {number} */
  lastOf(number) {
    return number < 0 ? -1 : (this.last[number] ?? -1);
  }

  /** Adds the next row. @param {number} row @param {number} number number of its id; negative if the row has none */
  add(row, number) {
    this.previous[row] = this.lastOf(number);
    if (number >= 0) this.last[number] = row;
  }

  /** Removes the last row. @param {number} row @param {number} number as passed to `add` */
  removeLast(row, number) {
    if (number >= 0) this.last[number] = /** @type {number} */ (this.previous[row]);
    this.previous.length = row;
  }

  /** Returns the rows of an id, newest first, and forgets them. @param {number} number */
  take(number) {
    const rows = [];
    for (let row = this.last[number] ?? -1; row >= 0; row = /** @type {number} */ (this.previous[row])) rows.push(row);
    this.last[number] = -1;
    return rows;
  }
}

/** Decides which results are read: those of covered calls, or all if a rule covers any tool. */
class WatchedResults {
  /** @param {boolean} watchesAllTools */
  constructor(watchesAllTools) {
    this.watchesAllTools = watchesAllTools;
    /** Flags for each id number. @type {number[]} */ this.idFlags = [];
    /** Results to watch if a later call is covered. */ this.unwatched = new RowsById();
  }

  /** Records a result; true if it is watched. @param {number} number of its id; negative for none */
  addResult(number) {
    if (number < 0) return this.watchesAllTools;
    const flags = this.idFlags[number] ?? 0;
    this.idFlags[number] = flags | HAS_RESULT;
    return this.watchesAllTools || (flags & COVERED) !== 0;
  }

  /** Records that a rule covers the call of an id. @param {number} number @returns {readonly number[]} earlier results, watched from now on */
  cover(number) {
    const flags = this.idFlags[number] ?? 0;
    this.idFlags[number] = flags | COVERED;
    return flags === HAS_RESULT && !this.watchesAllTools ? this.unwatched.take(number) : NONE;
  }

  /** Adds the next row. @param {number} row @param {number} number id number of an unwatched result, or negative */
  addRow(row, number) {
    if (!this.watchesAllTools) this.unwatched.add(row, number);
  }

  /** Removes the last row. @param {number} row @param {number} number as passed to `addRow` */
  removeLastRow(row, number) {
    if (!this.watchesAllTools) this.unwatched.removeLast(row, number);
  }
}

module.exports = { RowsById, WatchedResults };
