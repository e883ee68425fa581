// @ts-check
'use strict';

const { applicationBreakpoints, withBreakpoint, fixedPrefixOf } = require('./anthropic-request.js');
const { priceOf, readSettings } = require('./coding-agents/settings.js');

/** The parts of the adapters that the command's gateway uses. */
module.exports = {
  applicationBreakpoints,
  fixedPrefixOf,
  priceOf,
  readSettings,
  withBreakpoint,
  Conversations: require('./conversations.js').Conversations,
  fingerprintOf: require('../messages/likeness.js').fingerprintOf,
  leadingSystem: require('../messages/breakpoints.js').leadingSystem,
  Prices: require('../cache/prices.js').Prices,
  requestLengths: require('../view/request-boundaries.js').requestLengths,
  withBreakpoints: require('./cache-breakpoints.js').withBreakpoints,
};
