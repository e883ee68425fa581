// @ts-check
'use strict';

const { isList } = require('../lists.js');

/**
 * True for what JSON writes by its fields: plain objects (of any realm) and arrays. Maps, dates, buffers and instances of classes
 * decide themselves what their content is.
 *
 * @param {unknown} value
 * @returns {value is object}
 */
function isWalkable(value) {
  if (typeof value !== 'object' || value === null) return false;
  try {
    if (Array.isArray(value)) return true;
    const prototype = Object.getPrototypeOf(value);
    return prototype === null || Object.getPrototypeOf(prototype) === null;
  } catch {
    // A revoked proxy.
    return false;
  }
}

/**
 * Calls `visit` with the enumerable properties of `parent`; what throws on being read is passed over.
 *
 * @param {object} parent
 * @param {(value: unknown, key: PropertyKey) => void} visit
 */
function forEachProperty(parent, visit) {
  const object = /** @type {Record<PropertyKey, unknown>} */ (parent);
  // Longer arrays are walked by the elements that they really have.
  if (isList(parent)) {
    for (let index = 0; index < parent.length; index += 1) visit(read(object, index), index);
    return;
  }
  for (const key of keysOf(object)) visit(read(object, key), key);
}

/**
 * @param {object} object
 * @returns {string[]}
 */
function keysOf(object) {
  try {
    return Object.keys(object);
  } catch {
    return [];
  }
}

/**
 * @param {Record<PropertyKey, unknown>} object
 * @param {PropertyKey} key
 */
function read(object, key) {
  try {
    return object[key];
  } catch {
    return undefined;
  }
}

module.exports = { forEachProperty, isWalkable };
