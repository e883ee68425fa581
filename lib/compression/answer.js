// @ts-check
'use strict';

const native = require('../native.js');
const { once } = require('../once.js');

/** Maximum number of elements in all lists of a response: a list that claims 2³²−1 would take minutes. */
const MAX_ELEMENTS = 65_536;

/**
 * The fields to read below a field; `*`: of each element, `0`: of the first.
 * @typedef {{ [name: string]: Looked }} Looked
 */

const readPaths = once(() => treeOf(native.answerPaths()));

/**
 * The response's fields that the core reads, as JSON. No other field is read: a client's own object may hold connections, cycles and getters.
 * Throws what a getter or proxy throws.
 * @param {unknown} answer @returns {string}
 */
function answerText(answer) {
  return JSON.stringify(picked(answer, readPaths(), { left: MAX_ELEMENTS }) ?? null);
}

/** @param {readonly string[]} paths */
function treeOf(paths) {
  /** @type {Looked} */ const tree = {};
  for (const path of paths) {
    let node = tree;
    for (const name of path.split('.')) {
      node[name] ??= {};
      node = node[name];
    }
  }
  return tree;
}

/** @param {any} value @param {Looked} below @param {{ left: number }} budget elements @returns {unknown} */
function picked(value, below, budget) {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  if (value === null || typeof value !== 'object') return undefined;
  if (Array.isArray(value)) return elements(value, below, budget);
  /** @type {Record<string, unknown>} */ const fields = {};
  for (const [name, inner] of Object.entries(below)) {
    if (name !== '*' && name !== '0') fields[name] = picked(value[name], inner, budget);
  }
  return fields;
}

/** @param {readonly unknown[]} list @param {Looked} below @param {{ left: number }} budget */
function elements(list, below, budget) {
  const { length } = list;
  const each = below['*'];
  // The core only checks whether this list is empty, so one element is enough.
  if (each === undefined) return length === 0 ? [] : [picked(list[0], below['0'] ?? {}, budget) ?? null];
  budget.left -= length;
  if (!(budget.left >= 0)) return undefined;
  return Array.from({ length }, (_, index) => picked(list[index], each, budget) ?? null);
}

module.exports = { answerText };
