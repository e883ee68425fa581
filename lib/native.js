// @ts-check
'use strict';

const { loadAddon } = require('./native-addon.js');

/** @typedef {typeof import('../binding.js')} Addon */

module.exports = /** @type {Addon} */ (loadAddon('palimpsest'));
