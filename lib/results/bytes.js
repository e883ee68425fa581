// @ts-check
'use strict';

const native = require('../native.js');
const { isList } = require('../lists.js');

/** @typedef {{ mostListed: number, mostIndexed: number }} ByteRules up to so many bytes stay */

/** @param {unknown} value @returns {number | undefined} the bytes of a typed array, a `Buffer`, an `ArrayBuffer`; undefined for anything else */
function byteLengthOf(value) {
  try {
    if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return value.byteLength;
    const isShared = typeof SharedArrayBuffer !== 'undefined' && value instanceof SharedArrayBuffer;
    return isShared ? value.byteLength : undefined;
  } catch {
    // A proxy was revoked.
    return undefined;
  }
}

/**
 * Bytes written as numbers: a list of them, as a `Buffer` becomes JSON, or fields `0`, `1`, `2` …, as a `Uint8Array` does.
 * @param {object} value plain data @returns {Int16Array | undefined} undefined for anything else, and for nothing
 */
function listedBytes(value) {
  if (isList(value)) return value.length > 0 && isByte(value[0]) ? bytesAmong(value) : undefined;
  if (Array.isArray(value) || !isByte(/** @type {any} */ (value)[0])) return undefined;
  const fields = Object.entries(value);
  return fields.every(([key], index) => key === String(index)) ? bytesAmong(fields.map(([, byte]) => byte)) : undefined;
}

/** @param {readonly unknown[]} values */
function bytesAmong(values) {
  for (let index = 0; index < values.length; index++) if (!isByte(values[index])) return undefined;
  return Int16Array.from(/** @type {readonly number[]} */ (values));
}

/** Java's bytes are signed. @param {unknown} value */
function isByte(value) {
  return Number.isInteger(value) && /** @type {number} */ (value) >= -128 && /** @type {number} */ (value) <= 255;
}

/** Whether `key` of `parent` is where a `Buffer` that became JSON has its bytes. @param {any} parent @param {PropertyKey} key */
function isBuffers(parent, key) {
  return key === 'data' && parent.type === 'Buffer';
}

/**
 * The placeholder of bytes in whatever form; null for anything else, and where they are few.
 * @param {object} value @param {any} parent @param {PropertyKey} key @param {ByteRules} rules @returns {string | null}
 */
function placeholderOfBytes(value, parent, key, { mostListed, mostIndexed }) {
  const length = byteLengthOf(value);
  if (length !== undefined) return native.bytesPlaceholder(length) ?? null;
  try {
    const bytes = mayBeLong(value, mostListed, mostIndexed) ? listedBytes(value) : undefined;
    if (bytes === undefined || bytes.length <= (Array.isArray(value) ? mostListed : mostIndexed)) return null;
    return native.byteListPlaceholder(bytes, isBuffers(parent, key)) ?? null;
  } catch {
    // A getter or a proxy throws.
    return null;
  }
}

/** @param {any} value @param {number} mostListed @param {number} mostIndexed */
function mayBeLong(value, mostListed, mostIndexed) {
  return Array.isArray(value) ? value.length > mostListed : value[mostIndexed] !== undefined;
}

/** How many bytes `value` is in a known field, in whatever form; 0 for anything else. @param {object} value @returns {number} */
function countBytes(value) {
  try {
    return byteLengthOf(value) ?? native.listedUnits(listedBytes(value)?.length ?? 0);
  } catch {
    return 0;
  }
}

module.exports = { byteLengthOf, countBytes, placeholderOfBytes };
