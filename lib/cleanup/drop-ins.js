// @ts-check
'use strict';

const { applyPreset, dropOrphans } = require('./functions.js');

/** Functions with the names, signatures and rules of an application's own: they change `messages` in place and return a report. */

/** @typedef {any[]} Messages */

/** @param {Messages} messages @param {unknown} [options] */
function cleanOrphanedToolCalls(messages, options) {
  return dropOrphans(messages, options, true);
}

/** @param {Messages} messages @param {unknown} [options] */
function simplifyOutdatedTerminalResults(messages, options) {
  return applyPreset('terminal', messages, options, true);
}

/** @param {Messages} messages @param {unknown} [options] */
function simplifyHistoricalFileReads(messages, options) {
  return applyPreset('fileReads', messages, options, true);
}

/** @param {Messages} messages @param {unknown} [options] */
function simplifyTextSearchResults(messages, options) {
  return applyPreset('textSearch', messages, options, true);
}

module.exports = {
  cleanOrphanedToolCalls,
  simplifyHistoricalFileReads,
  simplifyOutdatedTerminalResults,
  simplifyTextSearchResults,
};
