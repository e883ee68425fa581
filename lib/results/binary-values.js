// @ts-check
'use strict';

const native = require('../native.js');
const { isList } = require('../lists.js');
const { fieldOf, isObject, isPlainData, safely, setOwn } = require('../plain-data.js');

/** Replaces binary data at any depth of a value by placeholders: finds it, bytes in any form included, and copies the objects that lead to it. */

/**
 * `values`: for each object, the placeholders of its fields; `holders`: for each object, the fields that hold it.
 * @typedef {{ values: Map<object, Map<PropertyKey, string>>, holders: Map<object, Holder[]> }} Replacements
 * @typedef {{ parent: object, key: PropertyKey }} Holder
 *
 * `fields`: names of fields whose long values are data. Upper limits: `threshold`, units of a string that stays in any other field; `longestLink`,
 * units of a path or a URL; `mostListed`, bytes of a list that stays; `mostIndexed`, bytes of an object with numbered fields that stays.
 * @typedef {{ fields: ReadonlySet<string>, threshold: number, longestLink: number, mostListed: number, mostIndexed: number }} Rules
 *
 * `placeholderOf`: the replacement of a long string, null if it stays; `keepsBytes`: true for a buffer that stays, whatever its size.
 * @typedef {{ placeholderOf?: (text: string) => string | null, keepsBytes?: (bytes: object) => boolean }} Exceptions
 */

/** Searches shared and cyclic values too. @param {object} root of any class @param {Rules} rules @param {Exceptions} [exceptions] @returns {Replacements} */
function findReplacements(root, rules, { placeholderOf = native.withoutBinaryRuns, keepsBytes } = {}) {
  const { fields, threshold, longestLink } = rules;
  const values = new Map();
  /** @type {Map<object, Holder[]>} */ const holders = new Map([[root, []]]);
  const knownFieldPlaceholder = knownFieldPlaceholders(longestLink);
  const unvisited = byteLengthOf(root) === undefined ? [root] : [];
  while (unvisited.length > 0) {
    const parent = /** @type {object} */ (unvisited.pop());
    forEachProperty(parent, (value, key) => {
      if (value && typeof key === 'string' && fields.has(key)) {
        remember(values, parent, key, knownFieldPlaceholder(value));
      } else if (typeof value === 'string') {
        if (value.length > threshold) remember(values, parent, key, placeholderOf(value));
      } else if (typeof value === 'object' && value !== null) {
        const knownHolders = holders.get(value);
        if (knownHolders !== undefined) return knownHolders.push({ parent, key });
        const isPlain = isWalkable(value);
        const isBinary = byteLengthOf(value) !== undefined && keepsBytes?.(value) !== true;
        const placeholder = isPlain || isBinary ? bytesPlaceholder(value, parent, key, rules) : null;
        if (placeholder !== null) return remember(values, parent, key, placeholder);
        if (!isPlain) return;
        holders.set(value, [{ parent, key }]);
        unvisited.push(value);
      }
    });
  }
  return { values, holders };
}

/** @param {Map<object, Map<PropertyKey, string>>} values @param {object} parent @param {PropertyKey} key @param {string | null} placeholder */
function remember(values, parent, key, placeholder) {
  if (placeholder !== null) values.set(parent, (values.get(parent) ?? new Map()).set(key, placeholder));
}

/** For `Rules.fields`: each object is measured once, because they may be nested thousands deep. @param {number} longestLink @returns {(value: unknown) => string | null} */
function knownFieldPlaceholders(longestLink) {
  /** @type {Map<object, string | null>} */ const placeholders = new Map();
  return (value) => {
    if (!isObject(value)) return measuredPlaceholder(value, longestLink);
    if (!placeholders.has(value)) placeholders.set(value, measuredPlaceholder(value, longestLink));
    return placeholders.get(value) ?? null;
  };
}

/** True for values that JSON writes by their fields: plain objects of any realm, and arrays; false for a revoked proxy. @param {unknown} value @returns {value is object} */
function isWalkable(value) {
  if (typeof value !== 'object' || value === null) return false;
  try {
    if (Array.isArray(value)) return true;
    const prototype = Object.getPrototypeOf(value);
    return prototype === null || Object.getPrototypeOf(prototype) === null;
  } catch {
    return false;
  }
}

/** Visits each property; one that throws on access counts as undefined. @param {object} parent @param {(value: unknown, key: PropertyKey) => void} visit */
function forEachProperty(parent, visit) {
  // An array that is no list may be sparse: only its existing elements are visited.
  if (isList(parent)) {
    for (let index = 0; index < parent.length; index++) visit(fieldOf(parent, index), index);
    return;
  }
  for (const key of safely(() => Object.keys(parent)) ?? []) visit(fieldOf(parent, key), key);
}

/** The placeholder of a known field's value, by the size of all that is in it. @param {unknown} root @param {number} longestLink in units @returns {string | null} */
function measuredPlaceholder(root, longestLink) {
  let units = 0;
  let linkUnits = 0;
  const seen = new Set();
  const unvisited = [root];
  while (unvisited.length > 0) {
    const value = unvisited.pop();
    if (typeof value === 'string') {
      units += value.length;
      if (value.length <= longestLink && native.isDataReference(value)) linkUnits += value.length;
    } else if (typeof value === 'object' && value !== null && !seen.has(value)) {
      seen.add(value);
      const isPlain = isWalkable(value);
      units += isPlain || byteLengthOf(value) !== undefined ? unitsOfBytes(value) : 0;
      if (!isPlain) continue;
      forEachProperty(value, (inner) => {
        if (typeof inner === 'string' || typeof inner === 'object') unvisited.push(inner);
      });
    }
  }
  return native.binaryDataPlaceholder(units, units - linkUnits) ?? null;
}

/** Applications add fields to it. Shared and cyclic values keep their structure. @template {object} T @param {T} root @param {Replacements} replacements @returns {T} */
function copyWithReplacements(root, { values, holders }) {
  if (values.size === 0) return /** @type {T} */ (shallowCopy(root));
  // All replacements are below `root`, so whatever holds `root` leads to one.
  /** @type {Map<object, object>} */ const copies = new Map();
  const uncopied = [root, ...values.keys()];
  for (let object = uncopied.pop(); object !== undefined; object = uncopied.pop()) {
    if (copies.has(object)) continue;
    copies.set(object, shallowCopy(object));
    for (const { parent } of holders.get(object) ?? []) uncopied.push(parent);
  }
  for (const [object, copy] of copies) {
    for (const [key, placeholder] of values.get(object) ?? []) setOwn(copy, key, placeholder);
    for (const { parent, key } of holders.get(object) ?? [])
      setOwn(/** @type {object} */ (copies.get(parent)), key, copy);
  }
  return /** @type {T} */ (copies.get(root));
}

/** Keeps prototype and own properties, and makes frozen ones writable. @param {object} object @returns {object} */
function shallowCopy(object) {
  if (isList(object)) return Array.prototype.slice.call(object);
  // A sparse array may claim billions of elements, so only existing ones are copied.
  if (Array.isArray(object)) return Object.assign(new Array(object.length), object);
  if (isPlainData(object)) return { ...object };
  /** @type {any} */ const properties = Object.getOwnPropertyDescriptors(object);
  for (const key of Reflect.ownKeys(properties)) {
    properties[key].configurable = true;
    if ('value' in properties[key]) properties[key].writable = true;
  }
  return Object.create(Object.getPrototypeOf(object), properties);
}

/** The bytes of a typed array, a `Buffer`, an `ArrayBuffer`; undefined for anything else, revoked proxies included. @param {any} value */
function byteLengthOf(value) {
  return safely(() => {
    const isShared = typeof SharedArrayBuffer !== 'undefined' && value instanceof SharedArrayBuffer;
    const hasBytes = ArrayBuffer.isView(value) || value instanceof ArrayBuffer || isShared;
    return hasBytes ? /** @type {ArrayBuffer} */ (value).byteLength : undefined;
  });
}

/** Bytes as JSON lists those of a `Buffer`, or as fields `0`, `1`, … of a `Uint8Array`; undefined for anything else, and if empty. @param {object} value plain data */
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
const isByte = (value) =>
  Number.isInteger(value) && /** @type {number} */ (value) >= -128 && /** @type {number} */ (value) <= 255;

/** Null for few bytes, and for anything else. @param {object} value @param {any} parent @param {PropertyKey} key @param {Rules} rules @returns {string | null} */
function bytesPlaceholder(value, parent, key, { mostListed, mostIndexed }) {
  const length = byteLengthOf(value);
  if (length !== undefined) return native.bytesPlaceholder(length) ?? null;
  const placeholder = safely(() => {
    // Fast path: most values have too few elements.
    const mayBeLong = Array.isArray(value)
      ? value.length > mostListed
      : /** @type {any} */ (value)[mostIndexed] !== undefined;
    const bytes = mayBeLong ? listedBytes(value) : undefined;
    if (bytes === undefined || bytes.length <= (Array.isArray(value) ? mostListed : mostIndexed)) return null;
    return native.byteListPlaceholder(bytes, key === 'data' && parent.type === 'Buffer');
  });
  return placeholder ?? null;
}

/** The units for which bytes in any form count in a known field: one each, 0 for a short list and for anything else. @param {object} value */
const unitsOfBytes = (value) =>
  safely(() => byteLengthOf(value) ?? native.listedUnits(listedBytes(value)?.length ?? 0)) ?? 0;

module.exports = { copyWithReplacements, findReplacements, isWalkable, unitsOfBytes };
