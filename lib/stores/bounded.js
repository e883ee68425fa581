// @ts-check
'use strict';

const { unlessAborted } = require('../archive/store.js');

/**
 * How long a request still waits for the store; each call reduces `leftMs`.
 * @typedef {{ leftMs: number, signal: AbortSignal | undefined }} WaitLimit
 */

/**
 * Waits for a call of a store until the time is over or the request is aborted. A later response is ignored.
 * @template T @param {(signal: AbortSignal) => PromiseLike<T> | T} work @param {WaitLimit} limit @returns {Promise<T>}
 */
async function bounded(work, limit) {
  const { signal, leftMs } = limit;
  if (signal?.aborted) throw signal.reason;
  const ending = new AbortController();
  const started = performance.now();
  const timer = setTimeout(() => ending.abort(timeoutError()), Math.max(0, leftMs));
  const abort = () => ending.abort(signal?.reason);
  signal?.addEventListener('abort', abort, { once: true });
  try {
    return await unlessAborted(async () => work(ending.signal), ending.signal);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
    limit.leftMs -= performance.now() - started;
  }
}

function timeoutError() {
  const error = new Error('store: expected an answer within storeTimeoutMs, got none');
  return Object.assign(error, { code: 'STORE_TIMEOUT' });
}

module.exports = { bounded };
