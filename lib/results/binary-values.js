// @ts-check
'use strict';

const native = require('../native.js');
const { isList } = require('../lists.js');
const { fieldOf, isObject, isPlainData, safely, setOwn } = require('../plain-data.js');

/** Replaces binary data at any depth of a value by placeholders: finds it, bytes in any form included, and copies the objects that lead to it. */

/**
 * For each object, the placeholders of its fields, and the fields that hold it.
 * @typedef {{ values: Map<object, Map<PropertyKey, string>>, references: Map<object, Reference[]> }} Replacements
 * @typedef {{ parent: object, key: PropertyKey }} Reference
 *
 * `fields`: names of fields whose long values are data. The others, up to which a value stays: UTF-16 units of a string (`threshold`), of a string that
 * may be a link to data; bytes in a list, and in numbered fields.
 * @typedef {{ fields: ReadonlySet<string>, threshold: number, longestReference: number, mostListed: number, mostIndexed: number }} Rules
 *
 * `placeholderOf`: the replacement of a long string, null if it stays; `staysBytes`: true for a buffer that stays, whatever its size.
 * @typedef {{ placeholderOf?: (text: string) => string | null, staysBytes?: (bytes: object) => boolean }} Exceptions
 */

/**
 * Finds binary data at any depth, including in shared and cyclic values (R5.2–R5.4).
 * @param {object} root walked whatever its class @param {Rules} rules @param {Exceptions} [exceptions] @returns {Replacements}
 */
function findReplacements(root, rules, { placeholderOf = native.withoutBinaryRuns, staysBytes } = {}) {
  const { fields, threshold, longestReference } = rules;
  const values = new Map();
  /** @type {Map<object, Reference[]>} */ const references = new Map([[root, []]]);
  const dataPlaceholderOf = dataPlaceholders(longestReference);
  const unvisited = byteLengthOf(root) === undefined ? [root] : [];
  while (unvisited.length > 0) {
    const holder = /** @type {object} */ (unvisited.pop());
    forEachProperty(holder, (value, key) => {
      if (value && typeof key === 'string' && fields.has(key)) {
        remember(values, holder, key, dataPlaceholderOf(value));
      } else if (typeof value === 'string') {
        if (value.length > threshold) remember(values, holder, key, placeholderOf(value));
      } else if (typeof value === 'object' && value !== null) {
        const knownReferences = references.get(value);
        if (knownReferences !== undefined) return knownReferences.push({ parent: holder, key });
        const isPlain = isWalkable(value);
        const isBinary = byteLengthOf(value) !== undefined && staysBytes?.(value) !== true;
        const placeholder = isPlain || isBinary ? placeholderOfBytes(value, holder, key, rules) : null;
        if (placeholder !== null) return remember(values, holder, key, placeholder);
        if (!isPlain) return;
        references.set(value, [{ parent: holder, key }]);
        unvisited.push(value);
      }
    });
  }
  return { values, references };
}

/** @param {Map<object, Map<PropertyKey, string>>} values @param {object} holder @param {PropertyKey} key @param {string | null} placeholder */
function remember(values, holder, key, placeholder) {
  if (placeholder === null) return;
  const known = values.get(holder) ?? new Map();
  values.set(holder, known.set(key, placeholder));
}

/**
 * Decides about the values of fields named in `Rules.fields`: returns a value's placeholder, or null if it stays. Such fields may be nested thousands
 * deep, so each object is examined once.
 * @param {number} longestReference in units @returns {(value: unknown) => string | null}
 */
function dataPlaceholders(longestReference) {
  /** @type {Map<object, string | null>} */ const placeholders = new Map();
  return (value) => {
    if (!isObject(value)) return dataPlaceholder(value, longestReference);
    if (!placeholders.has(value)) placeholders.set(value, dataPlaceholder(value, longestReference));
    return placeholders.get(value) ?? null;
  };
}

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
  for (const key of safely(() => Object.keys(parent)) ?? []) visit(fieldOf(parent, key), key);
}

/** @param {unknown} root @param {number} longestReference in units @returns {string | null} */
function dataPlaceholder(root, longestReference) {
  let units = 0;
  /** Units of links, which are no data. */
  let referenceUnits = 0;
  const seen = new Set();
  const unvisited = [root];
  while (unvisited.length > 0) {
    const value = unvisited.pop();
    if (typeof value === 'string') {
      units += value.length;
      if (value.length <= longestReference && native.isDataReference(value)) referenceUnits += value.length;
    } else if (typeof value === 'object' && value !== null && !seen.has(value)) {
      seen.add(value);
      const isPlain = isWalkable(value);
      units += isPlain || byteLengthOf(value) !== undefined ? countBytes(value) : 0;
      if (!isPlain) continue;
      forEachProperty(value, (inner) => {
        if (typeof inner === 'string' || typeof inner === 'object') unvisited.push(inner);
      });
    }
  }
  return native.binaryDataPlaceholder(units, units - referenceUnits) ?? null;
}

/**
 * Copies `root`, because applications add fields to it, and the objects that lead to a replacement, each once. Shared and cyclic references are
 * preserved.
 * @template {object} T @param {T} root @param {Replacements} replacements @returns {T}
 */
function copyWithReplacements(root, { values, references }) {
  if (values.size === 0) return /** @type {T} */ (shallowCopy(root));
  /** @type {Map<object, object>} */ const copies = new Map([[root, shallowCopy(root)]]);
  const unvisited = [...values.keys()];
  for (const holder of unvisited) if (!copies.has(holder)) copies.set(holder, shallowCopy(holder));
  for (let object = unvisited.pop(); object !== undefined; object = unvisited.pop()) {
    for (const { parent } of references.get(object) ?? []) {
      if (copies.has(parent)) continue;
      copies.set(parent, shallowCopy(parent));
      unvisited.push(parent);
    }
  }
  for (const [object, copy] of copies) {
    for (const [key, placeholder] of values.get(object) ?? []) setOwn(copy, key, placeholder);
    for (const { parent, key } of references.get(object) ?? []) {
      const holder = copies.get(parent);
      // An object that refers back to the root is not copied unless it leads to a replacement.
      if (holder !== undefined) setOwn(holder, key, copy);
    }
  }
  return /** @type {T} */ (copies.get(root));
}

/** Keeps prototype and own properties, and makes frozen ones writable. @param {object} object @returns {object} */
function shallowCopy(object) {
  if (isList(object)) return Array.prototype.slice.call(object);
  // A sparse array may claim billions of elements, so only existing ones are copied.
  if (Array.isArray(object)) return Object.assign(new Array(object.length), object);
  if (isPlainData(object)) return { ...object };
  const properties = Object.getOwnPropertyDescriptors(object);
  for (const key of Reflect.ownKeys(properties)) {
    const property = /** @type {PropertyDescriptor} */ (Reflect.get(properties, key));
    property.configurable = true;
    if ('value' in property) property.writable = true;
  }
  return Object.create(Object.getPrototypeOf(object), properties);
}

/** The bytes of a typed array, a `Buffer`, an `ArrayBuffer`; undefined for anything else, revoked proxies included. @param {unknown} value */
function byteLengthOf(value) {
  return safely(() => {
    if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return value.byteLength;
    const isShared = typeof SharedArrayBuffer !== 'undefined' && value instanceof SharedArrayBuffer;
    return isShared ? value.byteLength : undefined;
  });
}

/**
 * Bytes written as numbers: a list, as a `Buffer` becomes in JSON, or fields `0`, `1`, `2` …, as a `Uint8Array` becomes.
 * @param {object} value plain data @returns {Int16Array | undefined} undefined for anything else, and if empty
 */
function listedBytes(value) {
  if (isList(value)) return value.length > 0 && isByte(value[0]) ? bytesFrom(value) : undefined;
  if (Array.isArray(value) || !isByte(/** @type {any} */ (value)[0])) return undefined;
  const fields = Object.entries(value);
  return fields.every(([key], index) => key === String(index)) ? bytesFrom(fields.map(([, byte]) => byte)) : undefined;
}

/** Undefined if a value is no byte. @param {readonly unknown[]} values */
function bytesFrom(values) {
  for (let index = 0; index < values.length; index++) if (!isByte(values[index])) return undefined;
  return Int16Array.from(/** @type {readonly number[]} */ (values));
}

/** Includes negative values, because Java's bytes are signed. @param {unknown} value */
function isByte(value) {
  return Number.isInteger(value) && /** @type {number} */ (value) >= -128 && /** @type {number} */ (value) <= 255;
}

/**
 * The placeholder of bytes in any form; null for anything else, and for few bytes.
 * @param {object} value @param {any} parent @param {PropertyKey} key @param {Rules} rules @returns {string | null}
 */
function placeholderOfBytes(value, parent, key, { mostListed, mostIndexed }) {
  const length = byteLengthOf(value);
  if (length !== undefined) return native.bytesPlaceholder(length) ?? null;
  const placeholder = safely(() => {
    // Fast path: most values are too few.
    const mayBeLong = Array.isArray(value)
      ? value.length > mostListed
      : /** @type {any} */ (value)[mostIndexed] !== undefined;
    const bytes = mayBeLong ? listedBytes(value) : undefined;
    if (bytes === undefined || bytes.length <= (Array.isArray(value) ? mostListed : mostIndexed)) return null;
    return native.byteListPlaceholder(bytes, key === 'data' && parent.type === 'Buffer');
  });
  return placeholder ?? null;
}

/** The number of bytes that `value` represents in a known field, in any form; 0 for anything else. @param {object} value @returns {number} */
function countBytes(value) {
  return safely(() => byteLengthOf(value) ?? native.listedUnits(listedBytes(value)?.length ?? 0)) ?? 0;
}

module.exports = { copyWithReplacements, countBytes, findReplacements, isWalkable };
