// @ts-check
'use strict';

const native = require('../native.js');
const { isList } = require('../lists.js');

/** Recognises bytes in any form, and writes their placeholders. */

/** Up to this number of bytes stays, in a list or in numbered fields. @typedef {{ mostListed: number, mostIndexed: number }} ByteRules */

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
 * @param {object} value @param {any} parent @param {PropertyKey} key @param {ByteRules} rules @returns {string | null}
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

module.exports = { byteLengthOf, countBytes, placeholderOfBytes };
