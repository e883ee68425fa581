// @ts-check
'use strict';

/** No conversation, message or option has so many elements. */
const LONGEST_LIST = 2 ** 22;

/**
 * Whether `value` is an array that may be walked: `new Array(2 ** 32 - 1)` has no element, and whoever looks at each
 * is gone for minutes.
 * @param {unknown} value
 * @returns {value is any[]}
 */
function isList(value) {
  return Array.isArray(value) && value.length <= LONGEST_LIST;
}

module.exports = { isList, LONGEST_LIST };
