// @ts-check
'use strict';

/** For bin/ alone: no entry of package.json leads here. */
module.exports = require('../../rooms').command;
