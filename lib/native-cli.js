// @ts-check
'use strict';

const { loadAddon } = require('./native-addon.js');
const native = require('./native.js');

/** @typedef {typeof import('../binding-cli.js')} CliAddon */

/** @type {CliAddon | undefined} */ let loaded;

/**
 * Loads, on first use, the addon that reads recorded sessions and talks HTTP: most applications don't need it.
 * @param {string} [importer] absolute path of a file of palimpsest-cli: Yarn's Plug'n'Play lets only that package resolve the addon
 * @returns {CliAddon}
 * @throws {Error} with `code: 'ERR_PALIMPSEST_NATIVE'`
 */
function cliAddon(importer) {
  loaded ??= /** @type {CliAddon} */ (loadAddon('palimpsest-cli', importer));
  return loaded;
}

/** The command's addon, with the price presets of the library's addon. @param {string} importer as in {@link cliAddon} */
function sessionsFor(importer) {
  return { ...cliAddon(importer), pricePresets: native.pricePresets };
}

module.exports = { cliAddon, sessionsFor };
