// @ts-check
'use strict';

// Without its ending: rooms.js in a checkout, rooms/index.js in the packed package.
module.exports = require('./rooms').index;
