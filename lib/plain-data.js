// @ts-check
'use strict';

/**
 * True when `{...object}` is a faithful copy: no prototype of its own, no accessor, nothing hidden.
 * @param {object} object
 */
function isPlainData(object) {
  return Object.getPrototypeOf(object) === Object.prototype && hasOnlyData(object);
}

/**
 * True when a spread has all of the object's own properties as they are: no accessor, nothing hidden.
 * @param {object} object
 */
function hasOnlyData(object) {
  for (const key of Reflect.ownKeys(object)) {
    const property = Object.getOwnPropertyDescriptor(object, key);
    if (property === undefined || !property.enumerable || !('value' in property)) return false;
  }
  return true;
}

/**
 * Defines a property as an assignment would, whatever its name and whatever stands there: assigning to `__proto__` sets the
 * prototype, and an accessor takes the value for itself.
 * @param {object} target @param {PropertyKey} key @param {unknown} value
 */
function setOwn(target, key, value) {
  Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
}

module.exports = { hasOnlyData, isPlainData, setOwn };
