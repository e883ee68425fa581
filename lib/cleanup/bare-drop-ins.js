// @ts-check
'use strict';

const { applyPreset, dropOrphans } = require('./functions.js');

/**
 * The drop-in functions of `functions.js` without options and report, as in the functions that applications replace with them.
 * @typedef {(messages: any[]) => void} BareDropIn
 */

/** @type {BareDropIn} */
const cleanOrphanedToolCalls = (messages) => void dropOrphans(messages, undefined, false);
/** @type {BareDropIn} */
const simplifyOutdatedTerminalResults = (messages) => void applyPreset('terminal', messages, undefined, false);
/** @type {BareDropIn} */
const simplifyHistoricalFileReads = (messages) => void applyPreset('fileReads', messages, undefined, false);

module.exports = { cleanOrphanedToolCalls, simplifyHistoricalFileReads, simplifyOutdatedTerminalResults };
