// @ts-check
'use strict';

const native = require('../native.js');
const { forEachProperty, isWalkable } = require('./walkable.js');
const { isList } = require('../lists.js');
const { isPlainData, setOwn } = require('../plain-data.js');

/** Replaces binary data at any depth of a value by placeholders: finds it, bytes in any form included, and copies the objects that lead to it. */

/**
 * @typedef {object} Replacements
 * @property {Map<object, Map<PropertyKey, string>>} values for each object, the placeholders of its fields
 * @property {Map<object, Reference[]>} references for each object, the fields that hold it
 *
 * @typedef {{ parent: object, key: PropertyKey }} Reference
 *
 * @typedef {object} Rules
 * @property {ReadonlySet<string>} fields names of fields whose long values are data
 * @property {number} threshold UTF-16 units up to which a string stays
 * @property {number} longestReference UTF-16 units up to which a string may be a link to data
 * @property {number} mostListed bytes that stay in a list
 * @property {number} mostIndexed bytes that stay in numbered fields
 *
 * @typedef {object} Exceptions
 * @property {(text: string) => string | null} [placeholderOf] the replacement of a long string; null if it stays
 * @property {(bytes: object) => boolean} [staysBytes] true for a buffer that stays, whatever its size
 */

/**
 * Finds binary data at any depth, including in shared and cyclic values (R5.2–R5.4).
 * @param {object} root walked whatever its class @param {Rules} rules @param {Exceptions} [exceptions] @returns {Replacements}
 */
function findReplacements(root, rules, { placeholderOf = native.withoutBinaryRuns, staysBytes } = {}) {
  const { fields, threshold, longestReference } = rules;
  const values = new Map();
  /** @type {Map<object, Reference[]>} */ const references = new Map([[root, []]]);
  const dataFields = new DataFields(longestReference);
  const unvisited = byteLengthOf(root) === undefined ? [root] : [];
  while (unvisited.length > 0) {
    const holder = /** @type {object} */ (unvisited.pop());
    forEachProperty(holder, (value, key) => {
      if (value && typeof key === 'string' && fields.has(key)) {
        remember(values, holder, key, dataFields.placeholder(value));
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

/** Decides about the values of fields named in `Rules.fields`. Such fields may be nested thousands deep, so each value is examined once. */
class DataFields {
  /** Keyed by value; null if it stays. @type {Map<object, string | null>} */ #placeholders = new Map();

  /** @param {number} longestReference in units */
  constructor(longestReference) {
    this.longestReference = longestReference;
  }

  /** @param {unknown} value @returns {string | null} null if it stays */
  placeholder(value) {
    if (typeof value !== 'object' || value === null) return this.#newPlaceholder(value);
    const known = this.#placeholders.get(value);
    if (known !== undefined) return known;
    const placeholder = this.#newPlaceholder(value);
    this.#placeholders.set(value, placeholder);
    return placeholder;
  }

  /** @param {unknown} root @returns {string | null} */
  #newPlaceholder(root) {
    let units = 0;
    /** Units of links, which are no data. */
    let referenceUnits = 0;
    const seen = new Set();
    const unvisited = [root];
    while (unvisited.length > 0) {
      const value = unvisited.pop();
      if (typeof value === 'string') {
        units += value.length;
        if (value.length <= this.longestReference && native.isDataReference(value)) referenceUnits += value.length;
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

/** @param {unknown} value @returns {number | undefined} the bytes of a typed array, a `Buffer`, an `ArrayBuffer`; undefined for anything else */
function byteLengthOf(value) {
  try {
    if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return value.byteLength;
    const isShared = typeof SharedArrayBuffer !== 'undefined' && value instanceof SharedArrayBuffer;
    return isShared ? value.byteLength : undefined;
  } catch {
    // A revoked proxy.
    return undefined;
  }
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
  try {
    // Fast path: most values are too few.
    const mayBeLong = Array.isArray(value)
      ? value.length > mostListed
      : /** @type {any} */ (value)[mostIndexed] !== undefined;
    const bytes = mayBeLong ? listedBytes(value) : undefined;
    if (bytes === undefined || bytes.length <= (Array.isArray(value) ? mostListed : mostIndexed)) return null;
    const isBufferAsJson = key === 'data' && parent.type === 'Buffer';
    return native.byteListPlaceholder(bytes, isBufferAsJson) ?? null;
  } catch {
    // A getter or a proxy throws.
    return null;
  }
}

/** The number of bytes that `value` represents in a known field, in any form; 0 for anything else. @param {object} value @returns {number} */
function countBytes(value) {
  try {
    return byteLengthOf(value) ?? native.listedUnits(listedBytes(value)?.length ?? 0);
  } catch {
    return 0;
  }
}

module.exports = { copyWithReplacements, countBytes, findReplacements };
