// @ts-check
'use strict';

const { isRevoked } = require('../errors.js');
const { MOST_VALUES, Stamp } = require('../messages/stamp.js');
const { util } = require('../node-modules.js');
const { isPlainData } = require('../plain-data.js');

/** Keeps the checked options of the last call: hosts pass the same ones each time, often as a new object. @template R */
class RememberedOptions {
  #read;
  /** Null where a getter or a proxy may answer differently. @type {InstanceType<typeof Stamp> | null} */ #stamp = null;
  /** @type {R | undefined} */ #made;

  /** @param {(options: unknown) => R} read checks and reads all of them but `now` */
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
 * Whether options hold the same at each look: getters and proxies may not. Nor are those remembered that hold more than a stamp
 * does: a cycle has no end.
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
