// @ts-check
'use strict';

const { ignoreRejection } = require('../unwaited.js');
const { StoreClock } = require('./store-clock.js');

/**
 * @typedef {import('../entry/types/state-store.js').StateStore} StateStore
 * @typedef {import('../entry/types/state-store.js').AcquiredState} AcquiredState
 * @typedef {import('../entry/types/state-store.js').StateCommit} StateCommit
 * @typedef {{ leftMs: number, signal: AbortSignal | undefined, isUnwaited?: boolean }} Patience what a request still has for the store
 */

/** Calls of a store take no longer than the request has time. */
class StateCalls {
  #store;
  clock = new StoreClock();

  /** @param {StateStore} store */
  constructor(store) {
    this.#store = store;
  }

  /** @param {string} id @param {{ owner?: string, leaseMs?: number }} lease `{}`: only reads @param {Patience} patience @returns {Promise<AcquiredState | null>} */
  acquire(id, lease, patience) {
    return this.#told((signal) => this.#store.acquire(id, { ...lease, signal }), patience);
  }

  /**
   * Repeats a commit once when no answer came: where the first one was written, the second adds nothing.
   * @param {string} id @param {Omit<StateCommit, 'signal'>} commit @param {Patience} patience
   */
  async commit(id, commit, patience) {
    const ask = () => this.#told((signal) => this.#store.commit(id, { ...commit, signal }), patience);
    try {
      return await ask();
    } catch (error) {
      if (isStale(error) || patience.leftMs <= 0 || patience.signal?.aborted) throw error;
      return ask();
    }
  }

  /** @param {string} id @param {number} fence @param {Patience} patience */
  async release(id, fence, patience) {
    await bounded((signal) => this.#store.release(id, { fence, signal }), patience);
  }

  /** @template {{ nowMs: number } | null} T @param {(signal: AbortSignal) => Promise<T>} work @param {Patience} patience */
  async #told(work, patience) {
    const asked = performance.now();
    const answer = await bounded(work, patience);
    if (answer !== null) this.clock.learn(answer.nowMs, asked);
    return answer;
  }
}

/**
 * Waits until the time is over or the request is aborted; a later result is ignored.
 * @template T @param {(signal: AbortSignal) => Promise<T>} work @param {Patience} patience @returns {Promise<T>}
 */
async function bounded(work, patience) {
  const { signal, leftMs, isUnwaited } = patience;
  signal?.throwIfAborted();
  const ending = new AbortController();
  const started = performance.now();
  const { promise, reject } = withReject();
  const timer = setTimeout(
    () => {
      patience.leftMs = 0;
      reject(silent());
    },
    Math.max(0, leftMs),
  );
  if (isUnwaited) timer.unref?.();
  const abort = () => reject(signal?.reason);
  signal?.addEventListener('abort', abort, { once: true });
  try {
    const answer = (async () => work(ending.signal))();
    ignoreRejection(answer);
    return await Promise.race([answer, promise]);
  } catch (error) {
    ending.abort(error);
    throw error;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
    patience.leftMs -= performance.now() - started;
  }
}

/** @returns {{ promise: Promise<never>, reject: (error: unknown) => void }} */
function withReject() {
  /** @type {(error: unknown) => void} */ let reject = () => {};
  const promise = new Promise((_, fail) => {
    reject = fail;
  });
  ignoreRejection(promise);
  return { promise: /** @type {Promise<never>} */ (promise), reject };
}

function silent() {
  const error = new Error('store: expected an answer within storeTimeoutMs, got none');
  return Object.assign(error, { code: 'STORE_TIMEOUT' });
}

/** @param {any} error */
function isStale(error) {
  return error?.code === 'STORE_STALE';
}

module.exports = { bounded, isStale, StateCalls };
