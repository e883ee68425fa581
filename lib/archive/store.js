// @ts-check
'use strict';

const { optional, readSignal } = require('../arguments.js');
const { orAborted } = require('../compression/joining.js');
const { wrongType } = require('../errors.js');

/**
 * Reads a store: a SessionArchive, a PostgresStore or the application's own.
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

module.exports = { readStore, unlessAborted };
