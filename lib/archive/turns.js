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

  /** Runs long `work` after the writes before it; no read or write waits for it. @template T @param {() => Promise<T>} work @returns {Promise<T>} */
  beside(work) {
    const turn = this.#write.then(work);
    this.#beside = Promise.all([this.#beside, settled(turn)]);
    return turn;
  }

  /** Runs `work` when all calls before it have ended. @template T @param {() => Promise<T>} work @returns {Promise<T>} */
  last(work) {
    return Promise.all([this.#write, this.#read, this.#beside]).then(work);
  }
}

/** Settles when `turn` does and never rejects: a call's failure is told to its own caller only. @param {Promise<unknown>} turn */
function settled(turn) {
  return turn.then(
    () => undefined,
    () => undefined,
  );
}

module.exports = { Turns };
