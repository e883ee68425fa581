// @ts-check
'use strict';

const { Prices } = require('../cache/prices.js');
const { fingerprintOf } = require('../messages/likeness.js');
const { leadingSystem } = require('../messages/breakpoints.js');
const { requestLengths } = require('../view/request-boundaries.js');
const { applicationBreakpoints, withBreakpoint, fixedPrefixOf } = require('./anthropic-request.js');
const { withBreakpoints } = require('./cache-breakpoints.js');
const { priceOf, readSettings } = require('./coding-agents/settings.js');
const { Conversations } = require('./conversations.js');

/** The parts of the adapters that the command's gateway uses. */
module.exports = {
  applicationBreakpoints,
  Conversations,
  fingerprintOf,
  fixedPrefixOf,
  leadingSystem,
  priceOf,
  Prices,
  readSettings,
  requestLengths,
  withBreakpoint,
  withBreakpoints,
};
