// @ts-check
'use strict';

/**
 * The only file that changes an application's array. A change is applied completely or not at all: a slot may be read-only, the length fixed, and a
 * proxy that observes the array may throw midway.
 */

const { copyOfList } = require('./lists.js');
const { invalidArgument } = require('./errors.js');
const { safely } = require('./plain-data.js');

const OWN_VALUE = { writable: true, enumerable: true, configurable: true };
const REFUSED = 'messages: expected an array that can be changed, got one that refuses a change; it is as it was';

/** Replaces existing slots, each given once, or throws a TypeError. @param {any[]} target @param {readonly number[]} indices @param {readonly unknown[]} values */
function replaceSlots(target, indices, values) {
  const originals = indices.map((index) => target[index]);
  let done = 0;
  try {
    for (; done < indices.length; done++) target[/** @type {number} */ (indices[done])] = values[done];
  } catch (error) {
    // The failed slot may have changed too: an observer may throw after its write.
    for (; done >= 0; done--) restore(target, /** @type {number} */ (indices[done]), originals[done]);
    throw invalidArgument(REFUSED, error);
  }
}

/** Replaces everything from `start` on, or throws a TypeError. @param {any[]} target @param {number} start @param {readonly unknown[]} values */
function replaceFrom(target, start, values) {
  const originals = copyOfList(target, start);
  const { length } = target;
  try {
    for (let at = 0; at < values.length; at++) {
      if (originals[at] !== values[at] || !(at in originals)) target[start + at] = values[at];
    }
    if (length !== start + values.length) target.length = start + values.length;
  } catch (error) {
    for (let at = Math.max(values.length, originals.length) - 1; at >= 0; at--) {
      if (at in originals) restore(target, start + at, originals[at]);
      // A property that can't be deleted could not have been written.
      else safely(() => delete target[start + at]);
    }
    restore(target, 'length', length);
    throw invalidArgument(REFUSED, error);
  }
}

/** @param {any} target @param {number | 'length'} key @param {unknown} value */
function restore(target, key, value) {
  try {
    if (!Object.is(target[key], value) || !(key in target)) target[key] = value;
  } catch {
    // Without assignment, because an observer that rejects one would also reject the rollback. What can't be defined now was not written before.
    safely(() => Reflect.defineProperty(target, key, key === 'length' ? { value } : { ...OWN_VALUE, value }));
  }
}

module.exports = { replaceFrom, replaceSlots };
