// @ts-check
'use strict';

const native = require('../native.js');
const { forEachProperty, isWalkable } = require('./walkable.js');

/**
 * @typedef {object} Replacements
 * @property {Map<object, Map<PropertyKey, string>>} values by holder and key, what replaces binary data
 * @property {Map<object, Reference[]>} references by object, where it stands
 *
 * @typedef {{ parent: object, key: PropertyKey }} Reference
 * @typedef {{ fields: ReadonlySet<string>, threshold: number, longestReference: number }} Rules
 */

/**
 * Finds the binary data in `root`, at any depth, in shared and cyclic values too (R5.2–R5.4). Only reads;
 * the strings long enough to be data are judged by the core.
 *
 * @param {object} root walked whatever its class
 * @param {Rules} rules
 * @returns {Replacements}
 */
function findReplacements(root, { fields, threshold, longestReference }) {
  const values = new Map();
  /** @type {Map<object, Reference[]>} */
  const references = new Map([[root, []]]);
  const open = ArrayBuffer.isView(root) ? [] : [root];
  for (let parent = open.pop(); parent !== undefined; parent = open.pop()) {
    const holder = parent;
    forEachProperty(holder, (value, key) => {
      const whole =
        value && typeof key === 'string' && fields.has(key) ? fieldPlaceholder(value, longestReference) : null;
      if (whole !== null) {
        remember(values, holder, key, whole);
      } else if (typeof value === 'string') {
        if (value.length > threshold) remember(values, holder, key, native.largeDataPlaceholder(value));
      } else if (isWalkable(value)) {
        const known = references.get(value);
        if (known === undefined) {
          references.set(value, [{ parent: holder, key }]);
          open.push(value);
        } else known.push({ parent: holder, key });
      }
    });
  }
  return { values, references };
}

/**
 * @param {Map<object, Map<PropertyKey, string>>} values
 * @param {object} holder
 * @param {PropertyKey} key
 * @param {string | null} placeholder
 */
function remember(values, holder, key, placeholder) {
  if (placeholder === null) return;
  const ofHolder = values.get(holder);
  if (ofHolder === undefined) values.set(holder, new Map([[key, placeholder]]));
  else ofHolder.set(key, placeholder);
}

/**
 * What stands in place of a known field's value; null where it stays.
 * @param {unknown} root
 * @param {number} longestReference in units
 * @returns {string | null}
 */
function fieldPlaceholder(root, longestReference) {
  let total = 0;
  let references = 0;
  const seen = new Set();
  const open = [root];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value === 'string') {
      total += value.length;
      if (value.length <= longestReference && native.isDataReference(value)) references += value.length;
    } else if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) total += value.byteLength;
    else if (isWalkable(value) && !seen.has(value)) {
      seen.add(value);
      forEachProperty(value, (inner) => {
        if (typeof inner === 'string' || typeof inner === 'object') open.push(inner);
      });
    }
  }
  return native.binaryDataPlaceholder(total, total - references) ?? null;
}

module.exports = { findReplacements };
