// @ts-check
'use strict';

const { pricePresets } = require('../native.js');
const { cliAddon } = require('../native-cli.js');

/**
 * What the command needs to read recorded sessions.
 * @param {string} importer absolute path of a file of the command, from which the addon's package is resolved
 * @throws {Error} with `code: 'ERR_PALIMPSEST_NATIVE'`
 */
function sessionsFor(importer) {
  return { ...cliAddon(importer), pricePresets };
}

module.exports = { sessionsFor };
