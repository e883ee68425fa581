// @ts-check
'use strict';

/** Used by bin/ only; package.json has no entry for it. */
const rooms = require('../../rooms');

module.exports = rooms.command;
