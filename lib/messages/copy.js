// @ts-check
'use strict';

const { hasOnlyData, isPlainData, setOwn } = require('../plain-data.js');

/** Copies messages with changes, because an application's objects are never written to. */

/** Fields that this package adds to messages and copies; a provider never sees them. */
const OWN_FIELDS = Object.freeze(['isCompressed', 'compressedAt', 'compression', 'beforeCompression']);

/** @type {WeakSet<object>} */ const dataOnly = new WeakSet();

/**
 * True if the object has no accessors and no hidden properties. Cached, because outdated results are copied before every request, and the check takes
 * longer than the copy. An accessor that is defined later is copied as its value.
 * @param {object} object
 */
function isDataOnly(object) {
  if (dataOnly.has(object)) return true;
  if (!hasOnlyData(object)) return false;
  dataOnly.add(object);
  return true;
}

/** True if `{...object}` is a complete copy. Callers spread it themselves: that is fast where all objects have the same fields. @param {object} object */
const isSpreadable = (object) => isDataOnly(object) && Object.getPrototypeOf(object) === Object.prototype;

/**
 * A shallow copy of `object` with some fields changed, including prototype, symbols, accessors and hidden properties.
 * @template {object} T @param {T} object @param {Record<string, unknown>} changes @returns {T}
 * @throws whatever a proxy or an accessor throws
 */
function copyOf(object, changes) {
  if (!isDataOnly(object)) return copyByProperties(object, [], changes);
  const prototype = Object.getPrototypeOf(object);
  const copy = { ...object, ...changes };
  return prototype === Object.prototype ? copy : Object.setPrototypeOf(copy, prototype);
}

/**
 * A shallow copy of `object` without the fields `removed`, and with `changes`, including prototype, symbols and hidden properties.
 * @template {object} T @param {T} object @param {readonly string[]} removed @param {Record<string, unknown>} changes @returns {T}
 * @throws whatever a proxy or an accessor throws
 */
function changedCopy(object, removed, changes) {
  if (!isPlainData(object)) return copyByProperties(object, removed, changes);
  // Deleting fields of a copy would make every access to it slow.
  const copy = /** @type {any} */ ({});
  for (const field of Reflect.ownKeys(object)) {
    if (removed.includes(/** @type {string} */ (field))) continue;
    if (field === '__proto__') setOwn(copy, field, /** @type {any} */ (object)[field]);
    else copy[field] = /** @type {any} */ (object)[field];
  }
  for (const field of Object.keys(changes)) setOwn(copy, field, changes[field]);
  return copy;
}

/** @param {object} object @param {readonly string[]} removed @param {Record<string, unknown>} changes */
function copyByProperties(object, removed, changes) {
  const properties = Object.getOwnPropertyDescriptors(object);
  for (const field of removed) delete (/** @type {any} */ (properties)[field]);
  for (const [field, value] of Object.entries(changes)) {
    const enumerable = Object.getOwnPropertyDescriptor(object, field)?.enumerable ?? true;
    setOwn(properties, field, { value, writable: true, enumerable, configurable: true });
  }
  return Object.create(Object.getPrototypeOf(object), properties);
}

module.exports = { changedCopy, copyOf, isDataOnly, isSpreadable, OWN_FIELDS };
