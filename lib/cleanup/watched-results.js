// @ts-check
'use strict';

/** Flags of a call id: a rule covers the call, and there is a result. */
const COVERED = 1;
const ANSWERED = 2;

/** @type {readonly number[]} */ const NONE = Object.freeze([]);

/** Links rows by their id's number, so that those of an id are found without a walk over the conversation. */
class RowsById {
  constructor() {
    /** By id number: the last such row, or −1. @type {number[]} */ this.last = [];
    /** By row: the one of the same id before it, or −1. @type {number[]} */ this.before = [];
  }

  /** The last row of an id, or −1. @param {number} number @returns {number} */
  lastOf(number) {
    return number < 0 ? -1 : (this.last[number] ?? -1);
  }

  /** @param {number} row @param {number} number of its id; negative where the row has none */
  note(row, number) {
    if (number < 0) {
      this.before[row] = -1;
      return;
    }
    this.before[row] = this.last[number] ?? -1;
    this.last[number] = row;
  }

  /** @param {number} row the last @param {number} number as it was noted */
  forget(row, number) {
    if (number >= 0) this.last[number] = /** @type {number} */ (this.before[row]);
    this.before.length = row;
  }

  /** The rows of an id, newest first, which are forgotten with that. @param {number} number */
  take(number) {
    const rows = [];
    for (let row = this.last[number] ?? -1; row >= 0; row = /** @type {number} */ (this.before[row])) rows.push(row);
    this.last[number] = -1;
    return rows;
  }
}

/** Decides which results are worth reading: those of covered calls, or all where a rule covers any tool. */
class WatchedResults {
  /** @param {boolean} watchesAllTools */
  constructor(watchesAllTools) {
    this.watchesAllTools = watchesAllTools;
    /** Flags by id number. @type {number[]} */ this.idFlags = [];
    /** A call that is declared later has them watched. */ this.unwatched = new RowsById();
  }

  /** Notes a result, and says whether it is watched. @param {number} number of its id; negative for none */
  hasResult(number) {
    if (number < 0) return this.watchesAllTools;
    const known = this.idFlags[number] ?? 0;
    this.idFlags[number] = known | ANSWERED;
    return this.watchesAllTools || (known & COVERED) !== 0;
  }

  /** Notes that a rule covers an id's call. @param {number} number @returns {readonly number[]} earlier results, watched from now on */
  cover(number) {
    const known = this.idFlags[number] ?? 0;
    this.idFlags[number] = known | COVERED;
    return known === ANSWERED && !this.watchesAllTools ? this.unwatched.take(number) : NONE;
  }

  /** @param {number} row @param {number} number of the id of a result that nobody watches, or negative */
  note(row, number) {
    if (!this.watchesAllTools) this.unwatched.note(row, number);
  }

  /** @param {number} row the last @param {number} number as it was noted */
  forget(row, number) {
    if (!this.watchesAllTools) this.unwatched.forget(row, number);
  }
}

module.exports = { RowsById, WatchedResults };
