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
  try {
    return Array.isArray(value) && value.length <= LONGEST_LIST;
  } catch {
    // A proxy that refuses to be looked at, or was revoked.
    return false;
  }
}

/**
 * Copies a part of a host's array. A class that extends `Array` may have a `slice` or a constructor of its own, which does
 * whatever it does.
 * @template T
 * @param {readonly T[]} list
 * @param {number} [start]
 * @param {number} [end]
 * @returns {T[]} with the holes that there are
 */
function copyOfList(list, start = 0, end = list.length) {
  if (list.constructor === Array) return Array.prototype.slice.call(list, start, end);
  const length = Math.max(0, Math.min(end, list.length) - start);
  /** @type {T[]} */
  const copy = [];
  copy.length = length;
  for (let at = 0; at < length; at++) if (start + at in list) copy[at] = /** @type {T} */ (list[start + at]);
  return copy;
}

/** Where `value` stands in a host's array, or -1. @param {readonly unknown[]} list @param {unknown} value */
function placeOf(list, value) {
  return Array.prototype.indexOf.call(list, value);
}

module.exports = { copyOfList, isList, LONGEST_LIST, placeOf };
