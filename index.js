// @ts-check
'use strict';

// Two statements, because Node.js parses `module.exports = require(…)` as a re-export and scans the whole target for names, which took 40 ms. In
// the packed package the target is library/index.js.
const library = require('./library');

module.exports = library.index;
