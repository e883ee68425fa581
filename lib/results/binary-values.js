// @ts-check
'use strict';

const native = require('../native.js');
const { byteLengthOf, countBytes, placeholderOfBytes } = require('./bytes.js');
const { forEachProperty, isWalkable } = require('./walkable.js');

/**
 * @typedef {object} Replacements
 * @property {Map<object, Map<PropertyKey, string>>} values placeholders by holder and key
 * @property {Map<object, Reference[]>} references to each object
 *
 * @typedef {{ parent: object, key: PropertyKey }} Reference
 * @typedef {{
 *   fields: ReadonlySet<string>, threshold: number, longestReference: number, mostListed: number, mostIndexed: number,
 * }} Rules
 *
 * @typedef {object} Judgement
 * @property {(text: string) => string | null} [placeholderOf] the replacement of a long string; null if it stays
 * @property {(bytes: object) => boolean} [staysBytes] true for a buffer that stays, whatever its size
 */

/**
 * Finds binary data at any depth, including in shared and cyclic values (R5.2–R5.4).
 * @param {object} root walked whatever its class @param {Rules} rules @param {Judgement} [judgement] @returns {Replacements}
 */
function findReplacements(root, rules, { placeholderOf = native.withoutBinaryRuns, staysBytes } = {}) {
  const { fields, threshold, longestReference } = rules;
  const values = new Map();
  /** @type {Map<object, Reference[]>} */ const references = new Map([[root, []]]);
  const judge = new FieldJudge(longestReference);
  const open = byteLengthOf(root) === undefined ? [root] : [];
  for (let parent = open.pop(); parent !== undefined; parent = open.pop()) {
    const holder = parent;
    forEachProperty(holder, (value, key) => {
      if (value && typeof key === 'string' && fields.has(key)) {
        remember(values, holder, key, judge.placeholder(value));
      } else if (typeof value === 'string') {
        if (value.length > threshold) remember(values, holder, key, placeholderOf(value));
      } else if (typeof value === 'object' && value !== null) {
        const known = references.get(value);
        if (known !== undefined) return known.push({ parent: holder, key });
        const isPlain = isWalkable(value);
        const isBinary = byteLengthOf(value) !== undefined && staysBytes?.(value) !== true;
        const bytes = isPlain || isBinary ? placeholderOfBytes(value, holder, key, rules) : null;
        if (bytes !== null) return remember(values, holder, key, bytes);
        if (!isPlain) return;
        references.set(value, [{ parent: holder, key }]);
        open.push(value);
      }
    });
  }
  return { values, references };
}

/** @param {Map<object, Map<PropertyKey, string>>} values @param {object} holder @param {PropertyKey} key @param {string | null} placeholder */
function remember(values, holder, key, placeholder) {
  if (placeholder === null) return;
  const ofHolder = values.get(holder);
  if (ofHolder === undefined) values.set(holder, new Map([[key, placeholder]]));
  else ofHolder.set(key, placeholder);
}

/** Judges the values of known fields. Such fields may be nested thousands deep, so each value is examined once. */
class FieldJudge {
  /** Placeholders by value. @type {Map<object, string | null>} */ #known = new Map();

  /** @param {number} longestReference in units */
  constructor(longestReference) {
    this.longestReference = longestReference;
  }

  /** @param {unknown} value @returns {string | null} null if it stays */
  placeholder(value) {
    if (typeof value !== 'object' || value === null) return this.#weigh(value);
    const known = this.#known.get(value);
    if (known !== undefined) return known;
    const found = this.#weigh(value);
    this.#known.set(value, found);
    return found;
  }

  /** @param {unknown} root @returns {string | null} */
  #weigh(root) {
    let total = 0;
    let references = 0;
    const seen = new Set();
    const open = [root];
    while (open.length > 0) {
      const value = open.pop();
      if (typeof value === 'string') {
        total += value.length;
        if (value.length <= this.longestReference && native.isDataReference(value)) references += value.length;
      } else if (typeof value === 'object' && value !== null && !seen.has(value)) {
        seen.add(value);
        const isPlain = isWalkable(value);
        total += isPlain || byteLengthOf(value) !== undefined ? countBytes(value) : 0;
        if (!isPlain) continue;
        forEachProperty(value, (inner) => {
          if (typeof inner === 'string' || typeof inner === 'object') open.push(inner);
        });
      }
    }
    return native.binaryDataPlaceholder(total, total - references) ?? null;
  }
}

module.exports = { findReplacements };
