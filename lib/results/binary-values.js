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
 */

/**
 * Finds the binary data in `root`, at any depth, in shared and cyclic values too (SPEC R5.2–R5.4). Only reads;
 * the strings long enough to be data are judged by the core.
 *
 * @param {object} root walked whatever its class
 * @param {{ fields: ReadonlySet<string>, threshold: number }} rules
 * @returns {Replacements}
 */
function findReplacements(root, { fields, threshold }) {
  const values = new Map();
  /** @type {Map<object, Reference[]>} */
  const references = new Map([[root, []]]);
  const open = ArrayBuffer.isView(root) ? [] : [root];
  for (let parent = open.pop(); parent !== undefined; parent = open.pop()) {
    const holder = parent;
    forEachProperty(holder, (value, key) => {
      if (value && typeof key === 'string' && fields.has(key)) {
        remember(values, holder, key, knownFieldPlaceholder(value));
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
 * @param {unknown} value
 * @returns {string | null} null when it has been replaced before: the size of the original would be lost
 */
function knownFieldPlaceholder(value) {
  if (typeof value === 'string' && value.startsWith('[') && native.isDataPlaceholder(value)) return null;
  return native.binaryDataPlaceholder(unitsIn(value));
}

/**
 * Total length of the strings in `root`, and of raw bytes.
 * @param {unknown} root
 */
function unitsIn(root) {
  let units = 0;
  const seen = new Set();
  const open = [root];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value === 'string') units += value.length;
    else if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) units += value.byteLength;
    else if (isWalkable(value) && !seen.has(value)) {
      seen.add(value);
      forEachProperty(value, (inner) => {
        if (typeof inner === 'string' || typeof inner === 'object') open.push(inner);
      });
    }
  }
  return units;
}

module.exports = { findReplacements };
