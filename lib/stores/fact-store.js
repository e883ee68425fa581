// @ts-check
'use strict';

const { readFunction } = require('../arguments.js');
const { wrongType } = require('../errors.js');
const { unlessAborted } = require('../archive/store.js');

/** Checks a view's store of facts, and limits how long a request waits for this store and for an archive. */

/** @param {string} name of the option @param {any} value @returns {import('../entry/types/fact-store.js').FactStore} */
function readFactStore(name, value) {
  if (value === null || typeof value !== 'object') throw wrongType(name, 'a FactStore', value);
  for (const method of ['appendFacts', 'facts']) readFunction(`${name}.${method}`, value[method]);
  return value;
}

/**
 * A conversation's compression options with an archive bound to the session `sessionId`, for which a request waits `timeoutMs`. Originals that are
 * not archived in time stay in the summary's record.
 * @template T @param {T} compression @param {{ timeoutMs: number, sessionId: string }} request @returns {T}
 */
function withArchive(compression, { timeoutMs, sessionId }) {
  const { archive } = /** @type {any} */ (compression ?? {});
  if (archive === undefined || archive === null) return compression;
  /** @param {string} session @param {any} batch @param {{ signal?: AbortSignal }} [options] */
  const append = (session, batch, { signal } = {}) => {
    const work = (/** @type {AbortSignal} */ boundedSignal) =>
      archive.append(session, batch, { signal: boundedSignal });
    return bounded(work, { leftMs: timeoutMs, signal });
  };
  return /** @type {any} */ ({ ...compression, sessionId, archive: { __proto__: archive, append } });
}

/** How long a request still waits; each call reduces `leftMs`. @typedef {{ leftMs: number, signal: AbortSignal | undefined }} WaitLimit */

/**
 * Waits for a call of a store until the time is over or the request is aborted. A later response is ignored.
 * @template T @param {(signal: AbortSignal) => PromiseLike<T> | T} work @param {WaitLimit} limit @returns {Promise<T>}
 */
async function bounded(work, limit) {
  const { signal, leftMs } = limit;
  if (signal?.aborted) throw signal.reason;
  const controller = new AbortController();
  const startedMs = performance.now();
  const timeoutError = () =>
    Object.assign(new Error('store: expected an answer within storeTimeoutMs, got none'), { code: 'STORE_TIMEOUT' });
  const timer = setTimeout(() => controller.abort(timeoutError()), Math.max(0, leftMs));
  const abort = () => controller.abort(signal?.reason);
  signal?.addEventListener('abort', abort, { once: true });
  try {
    return await unlessAborted(async () => work(controller.signal), controller.signal);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
    limit.leftMs -= performance.now() - startedMs;
  }
}

module.exports = { bounded, readFactStore, withArchive };
