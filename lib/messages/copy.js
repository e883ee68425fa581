// @ts-check
'use strict';

const { copyOfList, isList } = require('../lists.js');
const { hasOnlyData, isPlainData, setOwn } = require('../plain-data.js');

/** Copies messages with changes and joins messages, because an application's objects are never written to. */

/** Fields that this package adds to messages and copies; a provider never sees them. */
const OWN_FIELDS = Object.freeze(['isCompressed', 'compressedAt', 'compression', 'beforeCompression']);

/**
 * Objects without accessors and hidden properties. Outdated results are copied before every request, and checking each property takes longer
 * than the copy. An accessor that is defined later is copied as its value.
 * @type {WeakSet<object>}
 */
const dataOnly = new WeakSet();

/** True if the object has no accessors and no hidden properties; the result is cached. @param {object} object */
function isDataOnly(object) {
  if (dataOnly.has(object)) return true;
  if (!hasOnlyData(object)) return false;
  dataOnly.add(object);
  return true;
}

/** True if `{...object}` is a complete copy. Callers spread it themselves: that is fast where all objects have the same fields. @param {object} object */
function isSpreadable(object) {
  return isDataOnly(object) && Object.getPrototypeOf(object) === Object.prototype;
}

/**
 * A shallow copy of `object` with some fields changed, including prototype, symbols, accessors and hidden properties.
 * @template {object} T @param {T} object @param {Record<string, unknown>} changes @returns {T}
 * @throws whatever a proxy or an accessor throws
 */
function copyOf(object, changes) {
  if (isDataOnly(object)) {
    const prototype = Object.getPrototypeOf(object);
    const copy = { ...object, ...changes };
    return prototype === Object.prototype ? copy : Object.setPrototypeOf(copy, prototype);
  }
  return copyByProperties(object, [], changes);
}

/**
 * A copy of `list`. `change` returns a new element, or undefined to leave it out.
 * @param {readonly any[]} list @param {(element: any, index: number) => any} change
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
 * A copy of `list` with new texts, keyed by part. `withText` returns a copy of a part.
 * @param {readonly any[]} list @param {Map<number, string>} texts @param {(part: any, text: string) => any} withText
 */
function replacedParts(list, texts, withText) {
  const parts = copyOfList(list);
  for (const [index, text] of texts) parts[index] = withText(parts[index], text);
  return parts;
}

/** A copy without some parts of a list; undefined if none is left. @param {any} message @param {string} field @param {Set<number>} removed indices */
function withoutParts(message, field, removed) {
  const parts = copyOfList(message[field]).filter((_, index) => !removed.has(index));
  return parts.length === 0 ? undefined : copyOf(message, { [field]: parts });
}

/**
 * A shallow copy of `object` without the fields `removed`, and with `changes`, including prototype, symbols and hidden properties.
 * @template {object} T @param {T} object @param {readonly string[]} removed @param {Record<string, unknown>} changes @returns {T}
 * @throws whatever a proxy or an accessor throws
 */
function changedCopy(object, removed, changes) {
  if (isPlainData(object)) {
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
  return copyByProperties(object, removed, changes);
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

/**
 * A dialect's `merged` if its provider requires alternating roles: joins two adjacent messages of one role if a compression made one of them.
 * @param {string} field field with the list of parts
 * @returns {NonNullable<import('./dialect.js').Dialect['merged']>}
 */
function mergedIn(field) {
  return (messages, isGenerated) => {
    /** @type {any[]} */ const merged = [];
    /** The last of `merged` was made by the compression, or has parts of such a message. */
    let isLastGenerated = false;
    for (const message of messages) {
      const last = merged.at(-1);
      const isNew = isGenerated(message);
      /** @type {boolean} */ const isJoined = (isLastGenerated || isNew) && haveSameSpeaker(last, message, field);
      if (isJoined) merged[merged.length - 1] = joined(last, message, field);
      else merged.push(message);
      isLastGenerated = isNew || isJoined;
    }
    return merged;
  };
}

/** True if both have the same role and lists of parts. @param {any} previous @param {any} message @param {string} field */
function haveSameSpeaker(previous, message, field) {
  return previous?.role === message?.role && isList(previous?.[field]) && isList(message?.[field]);
}

/** A copy of `previous` with the parts of `message` appended. @param {any} previous @param {any} message @param {string} field */
function joined(previous, message, field) {
  return copyOf(previous, { [field]: [...previous[field], ...message[field]] });
}

module.exports = {
  changedCopy,
  changedList,
  copyOf,
  isDataOnly,
  isSpreadable,
  replacedParts,
  withoutParts,
  haveSameSpeaker,
  joined,
  mergedIn,
  OWN_FIELDS,
};
