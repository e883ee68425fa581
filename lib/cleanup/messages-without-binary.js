// @ts-check
'use strict';

const { binaryIn } = require('../results/binary-in-messages.js');
const { copyOfList } = require('../lists.js');
const { BINARY, withBinary } = require('./report.js');

/** @typedef {import('./report.js').CleanupReport} CleanupReport */

/** Count of messages at the end that are scanned again: applications add results in place. */ const RESCANNED = 16;

/** The messages of a growing conversation, without the binary data in their tool results. */
class MessagesWithoutBinary {
  #dialect;
  /** The same without binary data. @type {any[]} */ #clean = [];
  /** Removals of binary data, keyed by message. @type {Map<number, import('./report.js').CountedChange>} */
  #changes = new Map();
  /** The last report, and the same with binary data. @type {{ original: CleanupReport, extended: CleanupReport } | null} */
  #reports = null;

  /** @param {import('../messages/choice.js').Forced} dialect */
  constructor(dialect) {
    this.#dialect = dialect;
    /** The messages of the last call. @type {readonly any[]} */ this.given = [];
  }

  /** Removes the binary data. @param {readonly any[]} messages @returns {any[]} a new array; messages without binary data are the same objects */
  update(messages) {
    const given = copyOfList(messages);
    const end = Math.min(given.length, this.given.length - RESCANNED);
    let unchangedCount = 0;
    while (unchangedCount < end && given[unchangedCount] === this.given[unchangedCount]) unchangedCount++;
    this.#clean.length = unchangedCount;
    for (const index of this.#changes.keys())
      if (index >= unchangedCount && this.#changes.delete(index)) this.#reports = null;
    this.given = given;
    for (let index = unchangedCount; index < given.length; index++) {
      const found = binaryIn(given[index], this.#dialect);
      this.#clean.push(found === null ? given[index] : found.message);
      if (found === null) continue;
      const { before, after } = found;
      this.#changes.set(index, { message: index, rule: BINARY, before: [...before], after: [...after] });
      this.#reports = null;
    }
    return copyOfList(this.#clean);
  }

  get changes() {
    return [...this.#changes.values()];
  }

  /** The report with the removals of binary data: the same object until its content changes. @param {CleanupReport} report */
  reportWithBinary(report) {
    if (this.#changes.size === 0) return report;
    if (this.#reports?.original !== report) {
      this.#reports = { original: report, extended: withBinary(report, this.changes) };
    }
    return this.#reports.extended;
  }
}

module.exports = { MessagesWithoutBinary };
