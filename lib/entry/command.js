// @ts-check
'use strict';

/** For bin/ alone: no entry of package.json leads here. */
const rooms = require('../../rooms');

module.exports = rooms.command;
