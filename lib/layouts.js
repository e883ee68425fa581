// @ts-check
'use strict';

const native = require('./native.js');

/** Places of numbers in the flat forms between face and core, which `src/layouts.rs` describes. */
const layouts = native.layouts();

/** @param {object} layout */
function lengthOf(layout) {
  return Object.keys(layout).length;
}

module.exports = { layouts, lengthOf };
