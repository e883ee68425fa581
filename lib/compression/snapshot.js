// @ts-check
'use strict';

const { copyOfList, indexInList } = require('../lists.js');
const { fingerprintOf } = require('../messages/likeness.js');
const { pairingsOf } = require('./message-columns.js');

/** The range of messages that is being summarised, as it was read. While the model writes, the application may append, edit, or rewind the session (R7.9). */
class Snapshot {
  /** @param {readonly any[]} messages @param {number} start @param {number} end @param {import('../messages/choice.js').Forced} dialect */
  constructor(messages, start, end, dialect) {
    this.dialect = dialect;
    this.range = copyOfList(messages, start, end);
    this.fingerprints = this.range.map(fingerprintOf);
    /** Number of messages from `start` on, when the snapshot was made. */
    this.messageCount = messages.length - start;
  }

  /** The range's current index; -1 if it was changed. @param {readonly any[]} messages */
  find(messages) {
    const start = indexInList(messages, this.range[0]);
    if (start === -1 || messages.length - start < this.range.length) return -1;
    const isSame = this.range.every(
      (message, index) => messages[start + index] === message && fingerprintOf(message) === this.fingerprints[index],
    );
    return isSame && !this.#isAnsweredLate(messages, start) ? start : -1;
  }

  /** True if a newer message answers a call in the range: then both must stay. */
  #isAnsweredLate(/** @type {readonly any[]} */ messages, /** @type {number} */ start) {
    if (messages.length <= start + this.messageCount) return false;
    const pairings = pairingsOf(copyOfList(messages, start), this.dialect);
    const late = pairings.slice(this.messageCount).flatMap(({ answers }) => answers);
    if (late.length === 0) return false;
    const { length } = this.range;
    const after = new Set(pairings.slice(length).flatMap(({ declares }) => declares));
    const declared = new Set(pairings.slice(0, length).flatMap(({ declares }) => declares));
    return late.some((id) => declared.has(id) && !after.has(id));
  }
}

module.exports = { Snapshot };
