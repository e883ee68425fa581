// @ts-check
'use strict';

/** Bundlers without a plugin for JSON stop at `require('./package.json')`. */
const version = '0.2.0';

module.exports = { version };
