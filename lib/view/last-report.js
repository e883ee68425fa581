// @ts-check
'use strict';

const { lazyReport } = require('../cleanup/report.js');

/** @typedef {import('../../index.js').CleanupReport} CleanupReport */

/** Keeps the report of the last request, and returns the same object until the report changes. */
class LastReport {
  constructor() {
    /** @type {CleanupReport | null} */ this.report = null;
    /** @type {InstanceType<typeof import('../cleanup/conversation.js').Decision> | null} */ this.decision = null;
  }

  /**
   * @param {() => any} shown what is replaced, in the form of a conversation
   * @param {readonly any[]} taken
   * @param {InstanceType<typeof import('../cleanup/conversation.js').Decision>} decision of the rules
   * @param {boolean} isRebuilt
   * @returns {CleanupReport}
   */
  of(shown, taken, decision, isRebuilt) {
    const before = this.decision;
    const isSame =
      !isRebuilt &&
      before !== null &&
      before.forms === decision.forms &&
      before.unknownTimes === decision.unknownTimes &&
      before.unmatchedResults === decision.unmatchedResults &&
      before.inSeconds === decision.inSeconds;
    if (!isSame || this.report === null) {
      this.decision = decision;
      this.report = lazyReport(shown(), taken);
    }
    return this.report;
  }
}

module.exports = { LastReport };
