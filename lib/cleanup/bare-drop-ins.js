// @ts-check
'use strict';

const { applyPreset, dropOrphans } = require('./functions.js');

/** The drop-in functions of `functions.js` without options and report, as in the functions that applications replace with them. */

/** @param {any[]} messages */
function cleanOrphanedToolCalls(messages) {
  dropOrphans(messages, undefined, false);
}

/** @param {any[]} messages */
function simplifyOutdatedTerminalResults(messages) {
  applyPreset('terminal', messages, undefined, false);
}

/** @param {any[]} messages */
function simplifyHistoricalFileReads(messages) {
  applyPreset('fileReads', messages, undefined, false);
}

module.exports = { cleanOrphanedToolCalls, simplifyHistoricalFileReads, simplifyOutdatedTerminalResults };
