// @ts-check
'use strict';

const { isList } = require('../lists.js');

/**
 * True for what JSON writes by its fields: plain objects (of any realm) and arrays. Maps, dates, buffers and other instances decide
 * themselves what their content is.
 * @param {unknown} value @returns {value is object}
 */
function isWalkable(value) {
  if (typeof value !== 'object' || value === null) return false;
  try {
    if (Array.isArray(value)) return true;
    const prototype = Object.getPrototypeOf(value);
    return prototype === null || Object.getPrototypeOf(prototype) === null;
  } catch {
    // It is a revoked proxy.
    return false;
  }
}

/** Passes over what throws when it is read. @param {object} parent @param {(value: unknown, key: PropertyKey) => void} visit */
function forEachProperty(parent, visit) {
  // Longer arrays may be sparse.
  if (isList(parent)) {
    for (let index = 0; index < parent.length; index += 1) visit(fieldOf(parent, index), index);
    return;
  }
  for (const key of keysOf(parent)) visit(fieldOf(parent, key), key);
}

/** @param {object} object @returns {string[]} */
function keysOf(object) {
  try {
    return Object.keys(object);
  } catch {
    return [];
  }
}

/** Undefined where a getter or a proxy throws. @param {object} object @param {PropertyKey} key */
function fieldOf(object, key) {
  try {
    return /** @type {Record<PropertyKey, unknown>} */ (object)[key];
  } catch {
    return undefined;
  }
}

module.exports = { fieldOf, forEachProperty, isWalkable };
