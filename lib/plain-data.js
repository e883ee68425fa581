// @ts-check
'use strict';

/** @param {unknown} value @returns {value is any} */
function isObject(value) {
  return typeof value === 'object' && value !== null;
}

/** True if `{...object}` is a faithful copy. @param {object} object */
function isPlainData(object) {
  return Object.getPrototypeOf(object) === Object.prototype && hasOnlyData(object);
}

/** True if a spread copies all own properties: no accessors, no non-enumerable properties. @param {object} object */
function hasOnlyData(object) {
  for (const key of Reflect.ownKeys(object)) {
    const property = Object.getOwnPropertyDescriptor(object, key);
    if (property === undefined || !property.enumerable || !('value' in property)) return false;
  }
  return true;
}

/**
 * Defines a property, because assigning to `__proto__` would set the prototype, and a setter would intercept the value.
 * @param {object} target @param {PropertyKey} key @param {unknown} value
 */
function setOwn(target, key, value) {
  Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
}

module.exports = { hasOnlyData, isObject, isPlainData, setOwn };
