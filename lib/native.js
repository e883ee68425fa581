// @ts-check
'use strict';

const { loadAddon } = require('./native-addon.js');

/** The library's addon, loaded when this file is evaluated. @typedef {typeof import('../binding.js')} Addon */

module.exports = /** @type {Addon} */ (loadAddon('palimpsest'));
