// @ts-check
'use strict';

const { reportsIn } = require('../messages/own-fields.js');
const { reportsOn } = require('./usage.js');

/**
 * The first usage report among the messages from `start` on; applications keep it on the assistant message.
 * @param {readonly any[]} messages
 * @param {number} start
 * @returns {object | undefined}
 */
function reportSince(messages, start) {
  for (let index = start; index < messages.length; index++) {
    try {
      const message = messages[index];
      if (message === null || typeof message !== 'object') continue;
      for (const holder of reportsIn(message)) {
        const [report] = reportsOn(holder);
        if (report !== undefined) return report;
      }
    } catch {
      // An unreadable message has no report.
    }
  }
  return undefined;
}

module.exports = { reportSince };
