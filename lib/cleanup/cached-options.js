// @ts-check
'use strict';

const { isRevoked } = require('../errors.js');
const { MAX_VALUES, Stamp } = require('../messages/stamp.js');
const { util } = require('../node-modules.js');
const { isPlainData } = require('../plain-data.js');

/** Caches the checked options of the last call: applications pass equal options each time, often as a new object. @template R */
class CachedOptions {
  #read;
  /** Of the last options; null if a getter or a proxy may return other values. @type {InstanceType<typeof Stamp> | null} */ #stamp =
    null;
  /** What `read` returned for them. @type {R | undefined} */ #result;

  /** @param {(options: unknown) => R} read checks and reads all options but `now` */
  constructor(read) {
    this.#read = read;
  }

  /** @param {unknown} options @returns {R} */
  of(options) {
    if (isRevoked(/** @type {any} */ (options)) || Object.getPrototypeOf(options ?? {}) !== Object.prototype)
      return this.#read(options);
    const { now: _, ...others } = /** @type {Record<string, unknown>} */ (options ?? {});
    if (this.#stamp?.isUnchanged(others) === true) return /** @type {R} */ (this.#result);
    const result = this.#read(others);
    this.#stamp = isData(others) ? Stamp.of(others) : null;
    this.#result = result;
    return result;
  }
}

/**
 * True if options are plain data within a stamp's size, so that they can be cached. Getters and proxies may return other values, and cycles
 * have no end.
 * @param {unknown} options
 */
function isData(options) {
  const unchecked = [options];
  for (let count = 0; unchecked.length > 0; count++) {
    if (count > MAX_VALUES) return false;
    const value = unchecked.pop();
    if (typeof value !== 'object' || value === null) continue;
    if (util.types.isProxy(value) || !(Array.isArray(value) || isPlainData(value))) return false;
    for (const child of Object.values(value)) unchecked.push(child);
  }
  return true;
}

module.exports = { CachedOptions };
