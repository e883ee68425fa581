// @ts-check
'use strict';

const native = require('../native.js');

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
