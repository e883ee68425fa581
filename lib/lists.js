// @ts-check
'use strict';

/** Reads arrays of applications, which may be sparse, huge, revoked proxies, or subclasses that override methods. */

/** Above the length of any conversation, message or option. */ const MAX_LIST_LENGTH = 2 ** 22;

/** Bounded, because iterating over `new Array(2 ** 32 - 1)` takes minutes. @param {unknown} value @returns {value is any[]} */
function isList(value) {
  try {
    return Array.isArray(value) && value.length <= MAX_LIST_LENGTH;
  } catch {
    // A revoked proxy, or one that throws on access.
    return false;
  }
}

/** Includes holes. A subclass may override `slice`. @template T @param {readonly T[]} list @param {number} [start] @param {number} [end] @returns {T[]} */
function copyOfList(list, start = 0, end = list.length) {
  if (list.constructor === Array) return Array.prototype.slice.call(list, start, end);
  const length = Math.max(0, Math.min(end, list.length) - start);
  /** @type {T[]} */ const copy = [];
  copy.length = length;
  for (let index = 0; index < length; index++) {
    if (start + index in list) copy[index] = /** @type {T} */ (list[start + index]);
  }
  return copy;
}

/** True if both have identical elements in the same order. @param {readonly unknown[]} a @param {readonly unknown[]} b */
const sameItems = (a, b) => a.length === b.length && a.every((item, index) => item === b[index]);
/** `indexOf` that a subclass of `Array` can't override. @param {readonly unknown[]} list @param {unknown} value */
const indexInList = (list, value) => Array.prototype.indexOf.call(list, value);

/** @param {string} text words with white space between @returns {string[]} */
const wordsOf = (text) => text.split(/\s+/);

module.exports = { copyOfList, isList, indexInList, MAX_LIST_LENGTH, sameItems, wordsOf };
