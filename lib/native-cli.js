// @ts-check
'use strict';

const { loadAddon } = require('./native-addon.js');
const native = require('./native.js');

/** @typedef {typeof import('../binding-cli.js')} CliAddon */

/** @type {CliAddon | undefined} */ let loaded;

/**
 * Loads the addon that reads recorded sessions and talks HTTP when it is first used, because most applications have no need of it.
 * @param {string} [importer] absolute path of a file of palimpsest-cli: Yarn's Plug'n'Play lets only that package resolve the addon
 * @returns {CliAddon}
 * @throws {Error} with `code: 'ERR_PALIMPSEST_NATIVE'`
 */
function cliAddon(importer) {
  loaded ??= /** @type {CliAddon} */ (loadAddon('palimpsest-cli', importer));
  return loaded;
}

/** The functions with which the command reads recorded sessions. @param {string} importer as in {@link cliAddon} */
function sessionsFor(importer) {
  return { ...cliAddon(importer), pricePresets: native.pricePresets };
}

module.exports = { cliAddon, sessionsFor };
