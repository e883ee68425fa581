// @ts-check
'use strict';

const { applyPreset, dropOrphans } = require('../cleanup/functions.js');

/** The reference's three functions with its exact signatures: an array in, nothing out. */

exports.cleanOrphanedToolCalls = (/** @type {any[]} */ messages) => {
  dropOrphans(messages, false);
};
exports.simplifyOutdatedTerminalResults = (/** @type {any[]} */ messages) => {
  applyPreset('terminal', messages, undefined, false);
};
exports.simplifyHistoricalFileReads = (/** @type {any[]} */ messages) => {
  applyPreset('fileReads', messages, undefined, false);
};
