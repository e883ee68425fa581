// @ts-check
'use strict';

const { applyPreset, dropOrphans } = require('./functions.js');

/** @typedef {any[]} Messages */

/** Hosts replace their own functions by these three, which return nothing. @param {Messages} messages */
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
