// @ts-check
'use strict';

const { applyPreset, dropOrphans } = require('./functions.js');

/** @typedef {any[]} Messages */

/** Applications replace their own functions with these three, which return nothing. @param {Messages} messages */
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
