// @ts-check
'use strict';

/** Checks a store of originals, and waits for its calls until a signal is aborted. */

const { optional, readSignal } = require('../arguments.js');
const { wrongType } = require('../errors.js');

/**
 * Checks that a store has the methods: a SessionArchive, a PostgresStore or the application's own.
 * @param {string} name of the option @param {any} store @param {readonly string[]} methods
 */
function readStore(name, store, methods) {
  const missing = methods.find((method) => typeof store?.[method] !== 'function');
  if (missing === undefined) return store;
  throw wrongType(name, `an ArchiveStore, which has \`${missing}\``, store);
}

/**
 * Throws the reason of `signal` once it is aborted; the work continues even then.
 * @template T @param {() => Promise<T>} work @param {unknown} signal @returns {Promise<T>}
 */
async function unlessAborted(work, signal) {
  const given = optional(readSignal, 'options.signal', signal);
  if (given?.aborted) throw given.reason;
  const done = await orAborted(work(), given);
  if (given?.aborted) throw given.reason;
  return /** @type {T} */ (done);
}

/**
 * The result of `work`, or undefined once `signal` is aborted. The work itself continues, because another call may wait for it.
 * @param {Promise<unknown>} work never rejects @param {AbortSignal | undefined} signal
 */
async function orAborted(work, signal) {
  if (signal === undefined) return work;
  /** @type {() => void} */ let stop = () => {};
  const aborted = new Promise((resolve) => {
    stop = () => resolve(undefined);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

module.exports = { orAborted, readStore, unlessAborted };
