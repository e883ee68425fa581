// @ts-check
'use strict';

/** Written down here as well, since bundlers without a plugin for JSON stop at `require('./package.json')`. */
const version = '0.2.0';

module.exports = { version };
