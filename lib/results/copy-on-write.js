// @ts-check
'use strict';

const { isList } = require('../lists.js');
const { isPlainData, setOwn } = require('../plain-data.js');

/** @typedef {import('./binary-values.js').Replacements} Replacements */

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

module.exports = { copyWithReplacements };
