// @ts-check
'use strict';

/** Used by palimpsest-cli only, which finds it by its path: package.json has no entry for it. */
const library = require('../../library');

module.exports = library.command;
