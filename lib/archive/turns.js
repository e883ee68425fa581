// @ts-check
'use strict';

/**
 * Decides which of an archive's calls wait for which: a write for the writes before it, so that batches are kept in
 * order; a read for the writes before it, so that it sees them, and for the reads. No write waits for a read: what the
 * model searches for must not keep the originals from being stored.
 */
class Turns {
  /** Each settles with the last call of its kind. @type {Promise<unknown>} */
  #write = Promise.resolve();
  /** @type {Promise<unknown>} */
  #read = Promise.resolve();
  /** @type {Promise<unknown>} */
  #beside = Promise.resolve();

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

  /** For what takes long and keeps no other call waiting. @template T @param {() => Promise<T>} work @returns {Promise<T>} */
  beside(work) {
    const turn = this.#write.then(work);
    this.#beside = Promise.all([this.#beside, settled(turn)]);
    return turn;
  }

  /** After all calls before it. @template T @param {() => Promise<T>} work @returns {Promise<T>} */
  last(work) {
    return Promise.all([this.#write, this.#read, this.#beside]).then(work);
  }
}

/** The next call is told of its own failure, not of this one's. @param {Promise<unknown>} turn */
function settled(turn) {
  return turn.then(
    () => undefined,
    () => undefined,
  );
}

module.exports = { Turns };
