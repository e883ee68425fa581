// @ts-check
'use strict';

const { copyOfList } = require('./lists.js');
const { invalidArgument } = require('./errors.js');

const REFUSED = 'messages: expected an array that can be changed, got one that refuses a change; it is as it was';

/**
 * The only file that changes an application's array. A change is applied completely or not at all: a slot may be read-only, the length fixed, and a
 * proxy that observes the array may throw midway.
 */

/**
 * @param {any[]} target @param {readonly number[]} indices of existing slots, each once @param {readonly unknown[]} values
 * @throws TypeError, after restoring every slot
 */
function replaceSlots(target, indices, values) {
  const had = [];
  for (let at = 0; at < indices.length; at++) had.push(target[/** @type {number} */ (indices[at])]);
  let done = 0;
  try {
    for (; done < indices.length; done++) target[/** @type {number} */ (indices[done])] = values[done];
  } catch (error) {
    // The failed slot may have changed too: an observer may throw after its write.
    for (; done >= 0; done--) restore(target, /** @type {number} */ (indices[done]), had[done]);
    throw invalidArgument(REFUSED, error);
  }
}

/**
 * Replaces all elements from `start` on, and sets the length.
 * @param {any[]} target @param {number} start @param {readonly unknown[]} next
 * @throws TypeError, after restoring every slot and the length
 */
function replaceFrom(target, start, next) {
  const had = copyOfList(target, start);
  const { length } = target;
  try {
    for (let at = 0; at < next.length; at++) {
      if (had[at] !== next[at] || !(at in had)) target[start + at] = next[at];
    }
    if (length !== start + next.length) target.length = start + next.length;
  } catch (error) {
    for (let at = Math.max(next.length, had.length) - 1; at >= 0; at--) {
      if (at in had) restore(target, start + at, had[at]);
      else remove(target, start + at);
    }
    setLength(target, length);
    throw invalidArgument(REFUSED, error);
  }
}

/** @param {any[]} target @param {number} index @param {unknown} value */
function restore(target, index, value) {
  try {
    if (Object.is(target[index], value) && index in target) return;
    target[index] = value;
  } catch {
    define(target, String(index), { value, writable: true, enumerable: true, configurable: true });
  }
}

/** @param {any[]} target @param {number} index a slot that did not exist */
function remove(target, index) {
  try {
    delete target[index];
  } catch {
    // A property that can't be deleted could not have been written.
  }
}

/** @param {any[]} target @param {number} length */
function setLength(target, length) {
  try {
    if (target.length !== length) target.length = length;
  } catch {
    define(target, 'length', { value: length });
  }
}

/**
 * Defines a property, bypassing assignment: an observer that rejects assignments would also reject the rollback.
 * @param {any[]} target @param {string} key @param {PropertyDescriptor} property
 */
function define(target, key, property) {
  try {
    Reflect.defineProperty(target, key, property);
  } catch {
    // A property that can't be written now was not written before.
  }
}

module.exports = { replaceFrom, replaceSlots };
