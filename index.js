// @ts-check
'use strict';

// Two statements, because Node.js parses `module.exports = require(…)` as a re-export and scans the whole target for names, which took 40 ms. In
// the packed package the target is rooms/index.js.
const rooms = require('./rooms');

module.exports = rooms.index;
