// @ts-check
'use strict';

const { pricePresets } = require('../native.js');
const { cliAddon } = require('../native-cli.js');

/**
 * What the command needs of the addon that reads recorded sessions.
 * @param {string} user absolute path of a file of the command
 * @throws {Error} with `code: 'ERR_PALIMPSEST_NATIVE'`
 */
function sessionsFor(user) {
  return { ...cliAddon(user), pricePresets };
}

module.exports = { sessionsFor };
