// @ts-check
'use strict';

/**
 * The rows of results that no rule watches, by the number of their id: a call that is declared later can make them worth
 * watching, and then all of them must be found without a walk over the conversation.
 */
class UnwatchedResults {
  constructor() {
    /** By id number: the last such row, or −1. @type {number[]} */ this.last = [];
    /** By row: the one of the same id before it, or −1. @type {number[]} */ this.before = [];
  }

  /** @param {number} row the next one @param {number} number of its id; negative where it is no such result */
  note(row, number) {
    if (number < 0) {
      this.before[row] = -1;
      return;
    }
    this.before[row] = this.last[number] ?? -1;
    this.last[number] = row;
  }

  /** Forgets the last row. @param {number} row @param {number} number as it was noted */
  forget(row, number) {
    if (number >= 0) this.last[number] = /** @type {number} */ (this.before[row]);
    this.before.length = row;
  }

  /** The rows of an id, newest first; they are watched from now on. @param {number} number of the id */
  take(number) {
    const rows = [];
    for (let row = this.last[number] ?? -1; row >= 0; row = /** @type {number} */ (this.before[row])) rows.push(row);
    this.last[number] = -1;
    return rows;
  }
}

module.exports = { UnwatchedResults };
