// @ts-check
'use strict';

/**
 * Orders reads and writes: both wait for earlier writes, so batches keep their order and are visible. No write waits for a read, because the
 * model's searches must not delay storing originals.
 */
class Turns {
  /** The last call of its kind. @type {Promise<unknown>} */ #write = Promise.resolve();
  /** @type {Promise<unknown>} */ #read = Promise.resolve();
  /** @type {Promise<unknown>} */ #independent = Promise.resolve();

  /** @template T @param {() => Promise<T>} work @returns {Promise<T>} */
  write(work) {
    const turn = this.#write.then(work);
    this.#write = settled(turn);
    return turn;
  }

  /** @template T @param {() => Promise<T>} work @returns {Promise<T>} */
  read(work) {
    const turn = Promise.all([this.#write, this.#read]).then(work);
    this.#read = settled(turn);
    return turn;
  }

  /** Runs long work, for which no read or write waits. @template T @param {() => Promise<T>} work @returns {Promise<T>} */
  independent(work) {
    const turn = this.#write.then(work);
    this.#independent = Promise.all([this.#independent, settled(turn)]);
    return turn;
  }

  /** @template T @param {() => Promise<T>} work @returns {Promise<T>} */
  last(work) {
    return Promise.all([this.#write, this.#read, this.#independent]).then(work);
  }
}

/** Never rejects: a failure is reported only to its own caller. @param {Promise<unknown>} turn */
function settled(turn) {
  const nothing = () => {};
  return turn.then(nothing, nothing);
}

module.exports = { Turns };
