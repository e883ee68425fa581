// @ts-check
'use strict';

const native = require('../native.js');

/** What agents have left on disk, which the core reads for the command. */
const { pricePresets, SessionAccounts, sessionFormats, sessionHistory } = native;
const { sessionMessages, sessionPicture, sessionPlaces, sessionSources } = native;

module.exports = {
  pricePresets,
  SessionAccounts,
  sessionFormats,
  sessionHistory,
  sessionMessages,
  sessionPicture,
  sessionPlaces,
  sessionSources,
};
