// @ts-check
'use strict';

const { isList } = require('../lists.js');

/**
 * True for values that JSON writes by their fields: plain objects (of any realm) and arrays. Maps, dates, buffers and other instances define their
 * own content.
 * @param {unknown} value @returns {value is object}
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
 * Visits each property; one that throws on access counts as undefined.
 * @param {object} parent @param {(value: unknown, key: PropertyKey) => void} visit
 */
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

/** Undefined if a getter or a proxy throws. @param {object} object @param {PropertyKey} key */
function fieldOf(object, key) {
  try {
    return /** @type {Record<PropertyKey, unknown>} */ (object)[key];
  } catch {
    return undefined;
  }
}

module.exports = { fieldOf, forEachProperty, isWalkable };
