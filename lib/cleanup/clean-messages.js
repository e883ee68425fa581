// @ts-check
'use strict';

const { binaryIn } = require('../results/binary-in-messages.js');
const { copyOfList } = require('../lists.js');
const { BINARY, changeOf, withBinary } = require('./report.js');

/** @typedef {import('./report.js').Change} Change */
/** @typedef {import('./report.js').CleanupReport} CleanupReport */

/** Messages at the end that are scanned again: applications add results in place. */
const RESCANNED = 16;

/** The messages of a growing conversation, without the binary data in their tool results. */
class CleanMessages {
  #dialect;
  /** The messages of the last call. @type {any[]} */ #messages = [];
  /** @type {any[]} */ #clean = [];
  /** Removals of binary data, keyed by message. @type {Map<number, Change>} */ #changes = new Map();
  /** @type {{ of: CleanupReport, with: CleanupReport } | null} */ #report = null;

  /** @param {import('../messages/choice.js').Forced} dialect */
  constructor(dialect) {
    this.#dialect = dialect;
  }

  /** @returns {readonly any[]} */
  get given() {
    return this.#messages;
  }

  /** @param {readonly any[]} messages @returns {any[]} a new array; messages without binary data are the same objects */
  of(messages) {
    const copied = copyOfList(messages);
    const known = Math.min(copied.length, this.#messages.length - RESCANNED);
    let index = 0;
    while (index < known && copied[index] === this.#messages[index]) index++;
    this.#clean.length = index;
    for (const row of this.#changes.keys()) if (row >= index) this.#forget(row);
    this.#messages = copied;
    for (; index < copied.length; index++) {
      const found = binaryIn(copied[index], this.#dialect);
      this.#clean.push(found === null ? copied[index] : found.message);
      if (found === null) continue;
      this.#changes.set(index, changeOf(index, BINARY, [...found.before], [...found.after]));
      this.#report = null;
    }
    return copyOfList(this.#clean);
  }

  /** @param {number} row */
  #forget(row) {
    this.#changes.delete(row);
    this.#report = null;
  }

  /** Removals of binary data, in the order of messages. */
  get changes() {
    return [...this.#changes.values()];
  }

  /** The report that also counts binary data: the same object until its content changes. @param {CleanupReport} report */
  counted(report) {
    if (this.#changes.size === 0) return report;
    if (this.#report?.of !== report) this.#report = { of: report, with: withBinary(report, this.changes) };
    return this.#report.with;
  }
}

module.exports = { CleanMessages };
