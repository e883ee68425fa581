// @ts-check
'use strict';

const { UnwatchedResults } = require('./unwatched-results.js');

/** Flags of a call id: a rule covers the call, and there is a result. */
const COVERED = 1;
const ANSWERED = 2;

/** Decides which results are worth reading: those of calls that a rule covers, or of all where it covers any tool. */
class WatchedResults {
  /** @param {boolean} watchesAllTools */
  constructor(watchesAllTools) {
    this.watchesAllTools = watchesAllTools;
    /** What is known of an id, by its number. @type {number[]} */ this.idFlags = [];
    this.unwatched = new UnwatchedResults();
  }

  /** Notes that there is a result, and says whether it is watched. @param {number} number of its id; negative for none */
  hasResult(number) {
    if (number < 0) return this.watchesAllTools;
    const known = this.idFlags[number] ?? 0;
    this.idFlags[number] = known | ANSWERED;
    return this.watchesAllTools || (known & COVERED) !== 0;
  }

  /**
   * Notes that a rule covers the call with an id.
   * @param {number} number of the id
   * @returns {readonly number[]} rows of its results that came before and are watched from now on
   */
  cover(number) {
    const known = this.idFlags[number] ?? 0;
    this.idFlags[number] = known | COVERED;
    return known === ANSWERED && !this.watchesAllTools ? this.unwatched.take(number) : NONE;
  }

  /** @param {number} row the next one @param {number} number of the id of a result that nobody watches, or negative */
  note(row, number) {
    if (!this.watchesAllTools) this.unwatched.note(row, number);
  }

  /** Forgets the last row. @param {number} row @param {number} number as it was noted */
  forget(row, number) {
    if (!this.watchesAllTools) this.unwatched.forget(row, number);
  }
}

/** @type {readonly number[]} */
const NONE = Object.freeze([]);

module.exports = { WatchedResults };
