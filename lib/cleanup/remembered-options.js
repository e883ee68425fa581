// @ts-check
'use strict';

const { isRevoked } = require('../errors.js');
const { MOST_VALUES, Stamp } = require('../messages/stamp.js');
const { util } = require('../node-modules.js');
const { isPlainData } = require('../plain-data.js');

/** Caches the checked options of the last call: applications pass equal options each time, often as a new object. @template R */
class RememberedOptions {
  #read;
  /** Null if a getter or a proxy may return other values. @type {InstanceType<typeof Stamp> | null} */ #stamp = null;
  /** @type {R | undefined} */ #made;

  /** @param {(options: unknown) => R} read checks and reads all options but `now` */
  constructor(read) {
    this.#read = read;
  }

  /** @param {unknown} options @returns {R} */
  of(options) {
    if (isRevoked(/** @type {any} */ (options)) || Object.getPrototypeOf(options ?? {}) !== Object.prototype)
      return this.#read(options);
    const { now: _, ...told } = /** @type {Record<string, unknown>} */ (options ?? {});
    if (this.#stamp?.holds(told) === true) return /** @type {R} */ (this.#made);
    const made = this.#read(told);
    this.#stamp = isData(told) ? Stamp.of(told) : null;
    this.#made = made;
    return made;
  }
}

/**
 * True if options are plain data within a stamp's size, so that they can be cached. Getters and proxies may return other values, and cycles
 * have no end.
 * @param {unknown} options
 */
function isData(options) {
  const open = [options];
  for (let looked = 0; open.length > 0; looked++) {
    if (looked > MOST_VALUES) return false;
    const value = open.pop();
    if (typeof value !== 'object' || value === null) continue;
    if (util.types.isProxy(value) || !(Array.isArray(value) || isPlainData(value))) return false;
    for (const held of Object.values(value)) open.push(held);
  }
  return true;
}

module.exports = { RememberedOptions };
