// @ts-check
'use strict';

const { copyOfList } = require('../lists.js');
const { hasOnlyData, isPlainData, setOwn } = require('../plain-data.js');

/**
 * Objects without accessors and hidden properties. Outdated results are copied before every request, and checking each property takes longer
 * than the copy. An accessor that is defined later is copied as its value.
 * @type {WeakSet<object>}
 */
const spreadable = new WeakSet();
/** @type {readonly string[]} */
const NONE = Object.freeze([]);

/** @param {object} object */
function canSpread(object) {
  if (spreadable.has(object)) return true;
  if (!hasOnlyData(object)) return false;
  spreadable.add(object);
  return true;
}

/**
 * True if `{...object}` is a complete copy. Callers spread the object themselves: a spread is fast if all objects at one place have the same fields.
 * @param {object} object
 * @returns {boolean}
 */
function isSpreadable(object) {
  return spreadable.has(object)
    ? Object.getPrototypeOf(object) === Object.prototype
    : canSpread(object) && isSpreadable(object);
}

/**
 * A shallow copy of `object` with some fields changed, including prototype, symbols, accessors and hidden properties.
 * @template {object} T
 * @param {T} object
 * @param {Record<string, unknown>} changes
 * @returns {T}
 * @throws whatever a proxy or an accessor throws
 */
function copyOf(object, changes) {
  if (canSpread(object)) {
    const prototype = Object.getPrototypeOf(object);
    const copy = { ...object, ...changes };
    return prototype === Object.prototype ? copy : Object.setPrototypeOf(copy, prototype);
  }
  return copyByProperties(object, NONE, changes);
}

/**
 * A copy of `list` with some elements replaced and some left out.
 * @param {readonly any[]} list
 * @param {(element: any, index: number) => any} change returns the new element; undefined leaves it out
 */
function changedList(list, change) {
  const changed = [];
  for (let index = 0; index < list.length; index++) {
    const element = change(list[index], index);
    if (element !== undefined) changed.push(element);
  }
  return changed;
}

/**
 * A copy of `list` with new texts in some parts.
 * @param {readonly any[]} list
 * @param {Map<number, string>} texts keyed by part
 * @param {(part: any, text: string) => any} replaced
 */
function replacedParts(list, texts, replaced) {
  const parts = copyOfList(list);
  for (const [at, text] of texts) parts[at] = replaced(parts[at], text);
  return parts;
}

/** A copy of `message` without some parts of its list; undefined if none is left. @param {any} message @param {string} field @param {Set<number>} removed */
function withoutParts(message, field, removed) {
  const parts = changedList(message[field], (part, at) => (removed.has(at) ? undefined : part));
  return parts.length === 0 ? undefined : copyOf(message, { [field]: parts });
}

/**
 * A shallow copy of `object` without the fields `without`, and with `changes`, including prototype, symbols and hidden properties.
 * @template {object} T
 * @param {T} object
 * @param {readonly string[]} without
 * @param {Record<string, unknown>} changes
 * @returns {T}
 * @throws whatever a proxy or an accessor throws
 */
function changedCopy(object, without, changes) {
  if (isPlainData(object)) {
    // Deleting fields of a copy would make every access to it slow.
    const copy = /** @type {any} */ ({});
    for (const field of Reflect.ownKeys(object)) {
      if (without.includes(/** @type {string} */ (field))) continue;
      if (field === '__proto__') setOwn(copy, field, /** @type {any} */ (object)[field]);
      else copy[field] = /** @type {any} */ (object)[field];
    }
    for (const field of Object.keys(changes)) setOwn(copy, field, changes[field]);
    return copy;
  }
  return copyByProperties(object, without, changes);
}

/** @param {object} object @param {readonly string[]} without @param {Record<string, unknown>} changes */
function copyByProperties(object, without, changes) {
  const properties = Object.getOwnPropertyDescriptors(object);
  for (const field of without) delete (/** @type {any} */ (properties)[field]);
  for (const [field, value] of Object.entries(changes)) {
    const enumerable = Object.getOwnPropertyDescriptor(object, field)?.enumerable ?? true;
    setOwn(properties, field, { value, writable: true, enumerable, configurable: true });
  }
  return Object.create(Object.getPrototypeOf(object), properties);
}

module.exports = { canSpread, changedCopy, changedList, copyOf, isSpreadable, replacedParts, withoutParts };
