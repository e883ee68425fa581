// @ts-check
'use strict';

/**
 * Reads and writes wait for earlier writes: batches are kept in order and seen. No write waits for a read, since the model's
 * searches must not keep originals from being stored.
 */
class Turns {
  /** The last call of its kind. @type {Promise<unknown>} */ #write = Promise.resolve();
  /** @type {Promise<unknown>} */ #read = Promise.resolve();
  /** @type {Promise<unknown>} */ #beside = Promise.resolve();

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

  /** For long work, which no read or write waits for. @template T @param {() => Promise<T>} work @returns {Promise<T>} */
  beside(work) {
    const turn = this.#write.then(work);
    this.#beside = Promise.all([this.#beside, settled(turn)]);
    return turn;
  }

  /** @template T @param {() => Promise<T>} work @returns {Promise<T>} */
  last(work) {
    return Promise.all([this.#write, this.#read, this.#beside]).then(work);
  }
}

/** Never rejects: a failure is told to its own caller only. @param {Promise<unknown>} turn */
function settled(turn) {
  return turn.then(
    () => undefined,
    () => undefined,
  );
}

module.exports = { Turns };
