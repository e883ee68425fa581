// @ts-check
'use strict';

/**
 * True when `{...object}` is a faithful copy: no prototype of its own, no accessor, nothing hidden.
 * @param {object} object
 */
function isPlainData(object) {
  if (Object.getPrototypeOf(object) !== Object.prototype) return false;
  for (const key of Reflect.ownKeys(object)) {
    const property = Object.getOwnPropertyDescriptor(object, key);
    if (property === undefined || !property.enumerable || !('value' in property)) return false;
  }
  return true;
}

module.exports = { isPlainData };
