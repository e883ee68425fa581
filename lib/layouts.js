// @ts-check
'use strict';

const native = require('./native.js');

/** Positions of numbers in the flat arrays exchanged with the core; `src/layouts.rs` describes them. */
const layouts = native.layouts();

/** @param {object} layout */
function lengthOf(layout) {
  return Object.keys(layout).length;
}

module.exports = { layouts, lengthOf };
