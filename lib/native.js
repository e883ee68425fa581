// @ts-check
'use strict';

/** The addon. Everything that decides anything is behind this line. */
module.exports = require('../binding.js');
