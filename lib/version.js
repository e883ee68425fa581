// @ts-check
'use strict';

/** Written down here as well, since bundlers without a plugin for JSON stop at `require('./package.json')`. */
module.exports = '0.1.0';
