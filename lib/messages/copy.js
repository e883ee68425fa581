// @ts-check
'use strict';

const { isPlainData } = require('../plain-data.js');

/**
 * A shallow copy of `object` with other values in some fields; prototype, symbols, accessors and hidden properties come
 * along. Fields that are not named stay by reference.
 * @template {object} T
 * @param {T} object
 * @param {Record<string, unknown>} changes
 * @returns {T}
 * @throws whatever a proxy or an accessor throws
 */
function copyOf(object, changes) {
  if (isPlainData(object)) return { ...object, ...changes };
  const properties = Object.getOwnPropertyDescriptors(object);
  for (const field of Object.keys(changes)) {
    const enumerable = Object.getOwnPropertyDescriptor(object, field)?.enumerable ?? true;
    Object.defineProperty(properties, field, {
      value: { value: changes[field], writable: true, enumerable, configurable: true },
      writable: true,
      enumerable: true,
      configurable: true,
    });
  }
  return Object.create(Object.getPrototypeOf(object), properties);
}

/**
 * `list` with some of its elements replaced, and some left out; all others by reference.
 * @param {readonly any[]} list
 * @param {(element: any, index: number) => any} change what stands there instead; undefined leaves it out
 */
function changedList(list, change) {
  const changed = [];
  for (let index = 0; index < list.length; index++) {
    const element = change(list[index], index);
    if (element !== undefined) changed.push(element);
  }
  return changed;
}

module.exports = { changedList, copyOf };
