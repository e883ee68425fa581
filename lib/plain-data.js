// @ts-check
'use strict';

/** Whether `{...object}` is a faithful copy. @param {object} object */
function isPlainData(object) {
  return Object.getPrototypeOf(object) === Object.prototype && hasOnlyData(object);
}

/** Whether a spread has all own properties: no accessor, nothing hidden. @param {object} object */
function hasOnlyData(object) {
  for (const key of Reflect.ownKeys(object)) {
    const property = Object.getOwnPropertyDescriptor(object, key);
    if (property === undefined || !property.enumerable || !('value' in property)) return false;
  }
  return true;
}

/**
 * Assigning to `__proto__` would set the prototype, and an accessor would take the value for itself.
 * @param {object} target @param {PropertyKey} key @param {unknown} value
 */
function setOwn(target, key, value) {
  Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
}

module.exports = { hasOnlyData, isPlainData, setOwn };
