// @ts-check
'use strict';

const native = require('../native.js');
const { once } = require('../once.js');

/** Maximum number of elements in all lists of a response: a proxy that claims a length of 2³²−1 would take minutes. */
const MAX_ELEMENTS = 65_536;

/**
 * The fields to read below a field; `*`: in each element, `0`: in the first.
 * @typedef {{ [name: string]: FieldTree }} FieldTree
 */

const fieldTree = once(() => treeOf(native.answerPaths()));

/**
 * The fields of a model's response that the core reads, as JSON. No other field is read: a client's own object may hold connections,
 * cycles and getters.
 * @param {unknown} answer @returns {string} @throws what a getter or proxy throws
 */
function answerText(answer) {
  return JSON.stringify(copyOf(answer, fieldTree(), { left: MAX_ELEMENTS }) ?? null);
}

/** @param {readonly string[]} paths */
function treeOf(paths) {
  /** @type {FieldTree} */ const tree = {};
  for (const path of paths) {
    let node = tree;
    for (const name of path.split('.')) {
      node[name] ??= {};
      node = node[name];
    }
  }
  return tree;
}

/**
 * A copy with only the fields in `tree`; undefined for a function or an undefined value.
 * @param {any} value @param {FieldTree} tree @param {{ left: number }} budget number of list elements that may still be read
 * @returns {unknown}
 */
function copyOf(value, tree, budget) {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  if (value === null || typeof value !== 'object') return undefined;
  if (Array.isArray(value)) return copyOfElements(value, tree, budget);
  /** @type {Record<string, unknown>} */ const fields = {};
  for (const [name, inner] of Object.entries(tree)) {
    if (name !== '*' && name !== '0') fields[name] = copyOf(value[name], inner, budget);
  }
  return fields;
}

/** @param {readonly unknown[]} list @param {FieldTree} tree @param {{ left: number }} budget */
function copyOfElements(list, tree, budget) {
  const { length } = list;
  const each = tree['*'];
  // The core only checks whether this list is empty, so one element is enough.
  if (each === undefined) return length === 0 ? [] : [copyOf(list[0], tree['0'] ?? {}, budget) ?? null];
  budget.left -= length;
  if (!(budget.left >= 0)) return undefined;
  return Array.from({ length }, (_, index) => copyOf(list[index], each, budget) ?? null);
}

module.exports = { answerText };
