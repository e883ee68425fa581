// @ts-check
'use strict';

const { applyPreset, dropOrphans } = require('./functions.js');

/** The drop-in functions (`drop-ins.js`) without options and report, as in the functions that applications replace with them. */

/** @typedef {any[]} Messages */

/** @param {Messages} messages */
function cleanOrphanedToolCalls(messages) {
  dropOrphans(messages, undefined, false);
}

/** @param {Messages} messages */
function simplifyOutdatedTerminalResults(messages) {
  applyPreset('terminal', messages, undefined, false);
}

/** @param {Messages} messages */
function simplifyHistoricalFileReads(messages) {
  applyPreset('fileReads', messages, undefined, false);
}

module.exports = { cleanOrphanedToolCalls, simplifyHistoricalFileReads, simplifyOutdatedTerminalResults };
