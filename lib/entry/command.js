// @ts-check
'use strict';

/** Used by palimpsest-cli only, which finds it by its path: package.json has no entry for it. */
module.exports = require('../../library').command;
