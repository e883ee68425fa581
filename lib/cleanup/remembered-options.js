// @ts-check
'use strict';

const { isRevoked } = require('../errors.js');
const { Stamp } = require('../messages/stamp.js');
const { util } = require('../node-modules.js');
const { isPlainData } = require('../plain-data.js');

/**
 * Keeps the checked options of the last call: hosts pass the same ones with every request, often as a new object, and only the time
 * differs.
 * @template R
 */
class RememberedOptions {
  #read;
  /** What the options held, where that can be told. @type {InstanceType<typeof Stamp> | null} */ #stamp = null;
  /** @type {R | undefined} */ #made;

  /** @param {(options: unknown) => R} read checks and reads all of them but the time */
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
    this.#stamp = Object.values(told).every(isData) ? Stamp.of(told) : null;
    this.#made = made;
    return made;
  }
}

/** Whether a value says the same at each look: options with getters, and proxies, are read anew each time, and once. @param {unknown} value @returns {boolean} */
function isData(value) {
  if (typeof value !== 'object' || value === null) return true;
  if (util.types.isProxy(value)) return false;
  return (Array.isArray(value) || isPlainData(value)) && Object.values(value).every(isData);
}

module.exports = { RememberedOptions };
