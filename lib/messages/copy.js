// @ts-check
'use strict';

const { copyOfList } = require('../lists.js');
const { hasOnlyData, isPlainData, setOwn } = require('../plain-data.js');

/**
 * Objects without accessors and hidden properties: outdated results are copied before every request, and a look at
 * each property takes longer than the copy. A property that becomes an accessor later comes along as the value it gives.
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

/** Whether `{...object}` is a faithful copy. Callers spread the object themselves, since a spread is fast where all objects have the same fields. @param {object} object @returns {boolean} */
function isSpreadable(object) {
  return spreadable.has(object)
    ? Object.getPrototypeOf(object) === Object.prototype
    : canSpread(object) && isSpreadable(object);
}

/**
 * A shallow copy of `object` with other values in some fields; prototype, symbols, accessors and hidden properties come
 * along. Fields that are not named stay by reference.
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
 * `list` with some of its elements replaced, and some left out; all others by reference.
 * @param {readonly any[]} list
 * @param {(element: any, index: number) => any} change what stands there instead; undefined leaves it out
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
 * `list` with other texts in some of its parts.
 * @param {readonly any[]} list
 * @param {Map<number, string>} texts by part
 * @param {(part: any, text: string) => any} replaced
 */
function replacedParts(list, texts, replaced) {
  const parts = copyOfList(list);
  for (const [at, text] of texts) parts[at] = replaced(parts[at], text);
  return parts;
}

/** `message` without some parts of its list; undefined when none is left. @param {any} message @param {string} field @param {Set<number>} gone */
function withoutParts(message, field, gone) {
  const parts = changedList(message[field], (part, at) => (gone.has(at) ? undefined : part));
  return parts.length === 0 ? undefined : copyOf(message, { [field]: parts });
}

/**
 * A shallow copy of `object` without the fields `without`, and with `changes`; prototype, symbols and hidden
 * properties come along.
 * @template {object} T
 * @param {T} object
 * @param {readonly string[]} without
 * @param {Record<string, unknown>} changes
 * @returns {T}
 * @throws whatever a proxy or an accessor throws
 */
function changedCopy(object, without, changes) {
  if (isPlainData(object)) {
    const copy = /** @type {any} */ ({ ...object });
    for (const field of without) delete copy[field];
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
