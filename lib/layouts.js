// @ts-check
'use strict';

const native = require('./native.js');

/** Where each number stands in the flat forms in which face and core talk: described in `src/layouts.rs`, and nowhere else. */
const layouts = native.layouts();

/** How many numbers a form has. @param {object} layout */
function lengthOf(layout) {
  return Object.keys(layout).length;
}

module.exports = { layouts, lengthOf };
