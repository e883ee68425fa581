// @ts-check
'use strict';

const { loadAddon } = require('./native-addon.js');
const native = require('./native.js');

/** @typedef {typeof import('../binding-cli.js')} CliAddon */

/** @type {CliAddon | undefined} */ let loaded;

/** Most applications don't need it. @param {string} [importer] a file of palimpsest-cli: Yarn's Plug'n'Play lets only that package resolve the addon @returns {CliAddon} */
function cliAddon(importer) {
  loaded ??= /** @type {CliAddon} */ (loadAddon('palimpsest-cli', importer));
  return loaded;
}

/** The command's addon, with the price presets of the library's addon. @param {string} importer as in {@link cliAddon} */
function sessionsFor(importer) {
  return { ...cliAddon(importer), pricePresets: native.pricePresets };
}

module.exports = { cliAddon, sessionsFor };
