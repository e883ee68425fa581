// @ts-check
'use strict';

/** Only bin/ uses it: no entry of package.json leads here. */
const rooms = require('../../rooms');

module.exports = rooms.command;
