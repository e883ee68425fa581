// @ts-check
'use strict';

const native = require('./native.js');

/** For each kind of entry, the index of each field in the flat number arrays exchanged with the core; see `src/layouts.rs`. */
const layouts = native.layouts();

/** Count of numbers in an entry. @param {object} layout */
const lengthOf = (layout) => Object.keys(layout).length;

module.exports = { layouts, lengthOf };
