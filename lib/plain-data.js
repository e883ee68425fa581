// @ts-check
'use strict';

/** Tells plain data from objects that a spread would not copy completely, defines fields on it, and writes it as JSON. */

/** Upper limit of values in a JSON text, far above any message or request. An object counts once for each path to it. */
const MAX_VALUES = 2_000_000;

/** @param {unknown} value @returns {value is any} */
const isObject = (value) => typeof value === 'object' && value !== null;
/** True if `{...object}` is a faithful copy. @param {object} object */
const isPlainData = (object) => Object.getPrototypeOf(object) === Object.prototype && hasOnlyData(object);

/** True if a spread copies all own properties: no accessors, no non-enumerable properties. @param {object} object */
function hasOnlyData(object) {
  return Reflect.ownKeys(object).every((key) => {
    const property = Object.getOwnPropertyDescriptor(object, key);
    return property?.enumerable === true && 'value' in property;
  });
}

/** Assigning to `__proto__` would set the prototype, and a setter would intercept the value. @param {object} target @param {PropertyKey} key @param {unknown} value */
const setOwn = (target, key, value) =>
  void Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });

/** The value that `read` returns; undefined if a getter or a proxy of the application throws. @template T @param {() => T} read @returns {T | undefined} */
function safely(read) {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** Undefined if a getter or a proxy throws. @param {any} object @param {PropertyKey} key @returns {unknown} */
function fieldOf(object, key) {
  try {
    return object[key];
  } catch {
    return undefined;
  }
}

/**
 * `JSON.stringify` with a limit, because JSON writes a shared object once for each path to it: thirty objects, each holding the next one twice,
 * would yield a billion.
 * @param {unknown} value @returns {string | undefined} undefined for what JSON leaves out
 * @throws RangeError beyond {@link MAX_VALUES}, and whatever a cycle, a bigint or a getter throws
 */
function jsonText(value) {
  let valueCount = 0;
  return JSON.stringify(value, (_, each) => {
    valueCount += 1;
    if (valueCount > MAX_VALUES) throw new RangeError(`expected at most ${MAX_VALUES} values, got more`);
    return each;
  });
}

module.exports = { fieldOf, hasOnlyData, isObject, isPlainData, jsonText, safely, setOwn };
