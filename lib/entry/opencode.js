// @ts-check
'use strict';

const rooms = require('../../rooms');

module.exports = rooms.opencode;
