// @ts-check
'use strict';

const { isObject, safely } = require('../plain-data.js');

/** A stamp records at most this many keys and values, nested at most this deep. */ const MAX_VALUES = 1024;
const MAX_DEPTH = 8;

/** Kinds of plain data, recorded before a nested value. */ const OBJECT = Symbol('object');
const LIST = Symbol('list');
/** Recorded after the last field of an object. */ const END = Symbol('end');

/**
 * Remembers the values of a message or a part when it was read. Applications edit messages in place, and comparing values is several times faster than
 * reading messages again before every request. Instances of a class, such as a `Date` or bytes, are compared by identity, and all else by value.
 */
class Stamp {
  /** @param {any} value */
  constructor(value) {
    /** @type {symbol | undefined} */ this.kind = undefined;
    /** True if all values were recorded, so that a value that agrees is certainly unchanged. */ this.isComplete = true;
    /** Each key with its value, or a list's length and elements; nested values follow their kind. @type {unknown[] | null} */
    this.recorded = [];
    try {
      this.kind = kindOf(value);
      this.#record(value, this.kind, 0, this.recorded);
    } catch {
      // A getter or a proxy threw: changes can't be detected.
      [this.recorded, this.isComplete] = [null, false];
    }
  }

  /** @param {unknown} value @returns {Stamp | null} null if it isn't plain data or exceeds the limits */
  static of(value) {
    const stamp = new Stamp(value);
    return stamp.isComplete && stamp.kind !== undefined ? stamp : null;
  }

  /** @param {any} value @param {symbol | undefined} kind @param {number} depth @param {unknown[]} recorded */
  #record(value, kind, depth, recorded) {
    if (kind === LIST) {
      recorded.push(value.length);
      for (let at = 0; at < value.length && this.#hasRoom(recorded); at++)
        this.#recordValue(value[at], depth, recorded);
      return;
    }
    for (const key in value) {
      if (!this.#hasRoom(recorded)) return;
      recorded.push(key);
      this.#recordValue(value[key], depth, recorded);
    }
    recorded.push(END);
  }

  /** @param {any} child @param {number} depth @param {unknown[]} recorded */
  #recordValue(child, depth, recorded) {
    const kind = depth < MAX_DEPTH ? kindOf(child) : undefined;
    recorded.push(kind ?? child);
    if (kind !== undefined) this.#record(child, kind, depth + 1, recorded);
    else if (typeof child === 'function' || isObject(child)) this.isComplete = false;
  }

  /** @param {unknown[]} recorded */
  #hasRoom({ length }) {
    this.isComplete &&= length < MAX_VALUES;
    return length < MAX_VALUES;
  }

  /** True if `value` is certainly unchanged. @param {unknown} value */
  isUnchanged(value) {
    return this.isComplete && this.mayBeUnchanged(value);
  }

  /** True if `value` is unchanged in the recorded part, or if nothing could be recorded. @param {unknown} value */
  mayBeUnchanged(value) {
    const { kind, recorded } = this;
    if (recorded === null) return true;
    try {
      return kindOf(value) === kind && endOfSameFields(value, kind, recorded, 0) >= recorded.length;
    } catch {
      return false;
    }
  }
}

/**
 * Where the recorded values of a list or object, which begin at `at`, end; −1 if one differs.
 * @param {any} value @param {symbol | undefined} kind @param {readonly unknown[]} recorded @param {number} at @returns {number}
 */
function endOfSameFields(value, kind, recorded, at) {
  if (kind === LIST) {
    const { length } = value;
    if (length !== recorded[at++]) return -1;
    for (let index = 0; index < length && at >= 0 && at < MAX_VALUES; index++) {
      at = endOfSameValue(value[index], recorded, at);
    }
    return at;
  }
  for (const key in value) {
    if (at >= MAX_VALUES) return at;
    if (key !== recorded[at]) return -1;
    at = endOfSameValue(value[key], recorded, at + 1);
    if (at < 0) return -1;
  }
  return at >= MAX_VALUES || recorded[at] === END ? at + 1 : -1;
}

/** The same for any value, which is recorded at `at`, or for a nested one its kind with its values from `at + 1` on. @param {any} child @param {readonly unknown[]} recorded @param {number} at */
function endOfSameValue(child, recorded, at) {
  const before = recorded[at];
  if (child === before) return at + 1;
  if (before !== OBJECT && before !== LIST) return Object.is(child, before) ? at + 1 : -1;
  return kindOf(child) === before ? endOfSameFields(child, before, recorded, at + 1) : -1;
}

/** The kind of plain data; undefined for other values. @param {any} value */
function kindOf(value) {
  if (!isObject(value)) return undefined;
  const prototype = Object.getPrototypeOf(value);
  if (prototype === Object.prototype) return OBJECT;
  return prototype === Array.prototype ? LIST : undefined;
}

/** Alternately the names and values of an object's fields; null if there are too many, or one can't be read. @param {any} object */
function valuesOf(object) {
  return (
    safely(() => {
      const values = [];
      for (const key in object) if (values.push(key, object[key]) > MAX_VALUES) return null;
      return values;
    }) ?? null
  );
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
