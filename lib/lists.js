// @ts-check
'use strict';

/** No conversation, message or option has so many elements. */
const LONGEST_LIST = 2 ** 22;

/** `new Array(2 ** 32 - 1)` has no element, and a walk over it takes minutes. @param {unknown} value @returns {value is any[]} */
function isList(value) {
  try {
    return Array.isArray(value) && value.length <= LONGEST_LIST;
  } catch {
    // A proxy was revoked, or refuses to be looked at.
    return false;
  }
}

/**
 * Copies a host's array, holes included: a class that extends `Array` may have a `slice` or a constructor of its own.
 * @template T @param {readonly T[]} list @param {number} [start] @param {number} [end] @returns {T[]}
 */
function copyOfList(list, start = 0, end = list.length) {
  if (list.constructor === Array) return Array.prototype.slice.call(list, start, end);
  const length = Math.max(0, Math.min(end, list.length) - start);
  /** @type {T[]} */ const copy = [];
  copy.length = length;
  for (let at = 0; at < length; at++) if (start + at in list) copy[at] = /** @type {T} */ (list[start + at]);
  return copy;
}

/** @param {readonly unknown[]} a @param {readonly unknown[]} b */
function sameItems(a, b) {
  return a.length === b.length && a.every((item, index) => item === b[index]);
}

/** A host's array may have an `indexOf` of its own. @param {readonly unknown[]} list @param {unknown} value */
function placeOf(list, value) {
  return Array.prototype.indexOf.call(list, value);
}

module.exports = { copyOfList, isList, LONGEST_LIST, placeOf, sameItems };
