// @ts-check
'use strict';

/**
 * Orders the calls of one archive: every call waits for earlier writes, so batches keep their order and are visible. No write waits for a read,
 * because the model's searches must not delay storing originals.
 */
class AccessQueue {
  /** Settles after all writes so far; never rejects. @type {Promise<unknown>} */ #writes = Promise.resolve();
  /** The same for reads. @type {Promise<unknown>} */ #reads = Promise.resolve();
  /** The same for background work. @type {Promise<unknown>} */ #backgroundWork = Promise.resolve();

  /** @template T @param {() => Promise<T>} work @returns {Promise<T>} */
  write(work) {
    const result = this.#writes.then(work);
    this.#writes = settled(result);
    return result;
  }

  /** Runs a read, after earlier reads too. @template T @param {() => Promise<T>} work @returns {Promise<T>} */
  read(work) {
    const result = Promise.all([this.#writes, this.#reads]).then(work);
    this.#reads = settled(result);
    return result;
  }

  /** Runs long work that only reads; no other read or write waits for it. @template T @param {() => Promise<T>} work @returns {Promise<T>} */
  background(work) {
    const result = this.#writes.then(work);
    this.#backgroundWork = Promise.all([this.#backgroundWork, settled(result)]);
    return result;
  }

  /** Runs work after all calls so far. @template T @param {() => Promise<T>} work @returns {Promise<T>} */
  afterAll(work) {
    return Promise.all([this.#writes, this.#reads, this.#backgroundWork]).then(work);
  }
}

/** Never rejects: a failure is reported only to its own caller. @param {Promise<unknown>} result */
function settled(result) {
  const nothing = () => {};
  return result.then(nothing, nothing);
}

module.exports = { AccessQueue };
