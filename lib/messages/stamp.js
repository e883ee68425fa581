// @ts-check
'use strict';

/** Limits of a stamp: count of values, and depth of nesting. */
const MAX_VALUES = 1024;
const MAX_DEPTH = 8;

const FIELDS = Symbol('fields');
const LIST = Symbol('list');
const END = Symbol('end');

/**
 * Remembers the values of a message or a part when it was read. Applications edit messages in place, and comparing values is several times faster than
 * reading messages again before every request.
 *
 * Only plain data is compared by value. Instances of a class, such as a `Date` or bytes, are compared by identity.
 */
class Stamp {
  /** @param {any} value */
  constructor(value) {
    this.kind = kindOf(value);
    /** True if all values were recorded, so that a value that agrees is certainly unchanged. */
    this.isWhole = true;
    /** Each key with its value, or a list's length and elements; nested values follow their kind. @type {unknown[] | null} */
    this.known = [];
    try {
      this.#gather(value, this.kind, 0, this.known);
    } catch {
      // A getter or a proxy threw: changes can't be detected.
      [this.known, this.isWhole] = [null, false];
    }
  }

  /** @param {unknown} value @returns {Stamp | null} null if it isn't plain data or exceeds the limits */
  static of(value) {
    const stamp = new Stamp(value);
    return stamp.isWhole && stamp.kind !== undefined ? stamp : null;
  }

  /** @param {any} value @param {symbol | undefined} kind @param {number} depth @param {unknown[]} known */
  #gather(value, kind, depth, known) {
    if (kind === LIST) {
      known.push(value.length);
      for (let at = 0; at < value.length && this.#hasRoom(known); at++) this.#take(value[at], depth, known);
      return;
    }
    for (const key in value) {
      if (!this.#hasRoom(known)) return;
      known.push(key);
      this.#take(value[key], depth, known);
    }
    known.push(END);
  }

  /** @param {any} child @param {number} depth @param {unknown[]} known */
  #take(child, depth, known) {
    const kind = depth < MAX_DEPTH ? kindOf(child) : undefined;
    known.push(kind ?? child);
    if (kind !== undefined) this.#gather(child, kind, depth + 1, known);
    else if (typeof child === 'function' || (typeof child === 'object' && child !== null)) this.isWhole = false;
  }

  /** @param {unknown[]} known */
  #hasRoom({ length }) {
    this.isWhole &&= length < MAX_VALUES;
    return length < MAX_VALUES;
  }

  /** True if `value` is certainly unchanged. @param {unknown} value */
  holds(value) {
    return this.isWhole && this.agrees(value);
  }

  /** True if `value` is unchanged in the recorded part, or if nothing could be recorded. @param {unknown} value */
  agrees(value) {
    const { kind, known } = this;
    if (known === null) return true;
    try {
      return kindOf(value) === kind && compared(value, kind, known, 0) >= known.length;
    } catch {
      return false;
    }
  }
}

/**
 * @param {any} value
 * @param {symbol | undefined} kind
 * @param {readonly unknown[]} known
 * @param {number} at
 * @returns {number} end of the part of `known` that agrees; −1 if values differ
 */
function compared(value, kind, known, at) {
  if (kind === LIST) {
    const { length } = value;
    if (length !== known[at++]) return -1;
    for (let index = 0; index < length && at < MAX_VALUES; index++) {
      const child = value[index];
      const before = known[at++];
      if (child === before) continue;
      at = endOfSame(child, before, known, at);
      if (at < 0) return -1;
    }
    return at;
  }
  for (const key in value) {
    if (at >= MAX_VALUES) return at;
    if (key !== known[at]) return -1;
    const child = value[key];
    const before = known[at + 1];
    at += 2;
    if (child === before) continue;
    at = endOfSame(child, before, known, at);
    if (at < 0) return -1;
  }
  return at >= MAX_VALUES || known[at] === END ? at + 1 : -1;
}

/** End of the part of `known` that agrees with a nested value; −1 if values differ. @param {any} child @param {unknown} before @param {readonly unknown[]} known @param {number} at */
function endOfSame(child, before, known, at) {
  if (before !== FIELDS && before !== LIST) return Object.is(child, before) ? at : -1;
  return kindOf(child) === before ? compared(child, before, known, at) : -1;
}

/** The kind of plain data; undefined for other values. @param {any} value */
function kindOf(value) {
  if (typeof value !== 'object' || value === null) return undefined;
  const prototype = Object.getPrototypeOf(value);
  if (prototype === Object.prototype) return FIELDS;
  return prototype === Array.prototype ? LIST : undefined;
}

/**
 * Each field of an object with its value; nested values count by identity.
 * @param {any} object
 * @returns {unknown[] | null} null if there are too many, or one can't be read
 */
function valuesOf(object) {
  const values = [];
  try {
    for (const key in object) if (values.push(key, object[key]) > MAX_VALUES) return null;
    return values;
  } catch {
    return null;
  }
}

/** True if the object has these fields and values, and no others. @param {any} object @param {readonly unknown[]} values */
function hasValues(object, values) {
  let at = 0;
  try {
    for (const key in object) {
      const value = object[key];
      if (values[at] !== key || (values[at + 1] !== value && !Object.is(values[at + 1], value))) return false;
      at += 2;
    }
  } catch {
    return false;
  }
  return at === values.length;
}

module.exports = { hasValues, MAX_VALUES, Stamp, valuesOf };
