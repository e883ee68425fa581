// @ts-check
'use strict';

/** More are compared by what is written of them. */
const MOST_LEAVES = 256;
const DEEPEST = 8;

/**
 * What a value of plain data held when it was read. Hosts edit arguments and results where they stand: to compare their leaves
 * is several times faster than to write them out as JSON before every request.
 */
class Leaves {
  constructor() {
    /** Keys and values in turn; of a nested value only its key, and how many it has. @type {unknown[]} */
    this.known = [];
  }

  /** @param {unknown} value @returns {Leaves | null} null where it is too large, or no plain data */
  static of(value) {
    const leaves = new Leaves();
    return leaves.#gather(value, 0) ? leaves : null;
  }

  /** @param {any} value @param {number} depth */
  #gather(value, depth) {
    if (depth > DEEPEST || !isPlain(value)) return false;
    const { known } = this;
    for (const key in value) {
      if (known.length >= 2 * MOST_LEAVES) return false;
      const held = value[key];
      const isNested = typeof held === 'object' && held !== null;
      known.push(key, isNested ? NESTED : held);
      if (isNested && !this.#gather(held, depth + 1)) return false;
      if (typeof held === 'function') return false;
    }
    known.push(END);
    return true;
  }

  /** Whether the value certainly holds what it held. @param {unknown} value */
  holds(value) {
    return this.#compare(value, 0, 0) === this.known.length;
  }

  /** @param {any} value @param {number} depth @param {number} at @returns {number} how far they agree; -1 where they don't */
  #compare(value, depth, at) {
    if (depth > DEEPEST || !isPlain(value)) return -1;
    const { known } = this;
    for (const key in value) {
      if (key !== known[at]) return -1;
      const held = value[key];
      const before = known[at + 1];
      at += 2;
      if (before === NESTED) {
        at = this.#compare(held, depth + 1, at);
        if (at < 0) return -1;
      } else if (held !== before) return -1;
    }
    return known[at] === END ? at + 1 : -1;
  }
}

const NESTED = Symbol('nested');
const END = Symbol('end');

/** @param {any} value */
function isPlain(value) {
  if (typeof value !== 'object' || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === Array.prototype;
}

module.exports = { Leaves };
