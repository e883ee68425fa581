// @ts-check
'use strict';

const { orAborted } = require('../compression/joining.js');

/** The process that writes a summary prolongs its lease. */
const LEASE_MS = 30_000;
const PROLONGED_AFTER_MS = LEASE_MS / 3;
/** Intervals of asking while another process writes the summary, and the longest wait. */
const ASKED_AFTER_MS = 250;
const MOST_WAITED_MS = 120_000;

/** @typedef {import('../entry/types/state-store.js').AcquiredState} AcquiredState */

/** Keeps other processes from writing the same summary, until the request is committed. */
class SummaryLease {
  #id;
  #keeping;
  #patience;
  /** @type {number | null} */ fence = null;
  /** What another process has stored meanwhile. @type {AcquiredState | null} */ found = null;
  #isBusy = false;
  /** @type {ReturnType<typeof setInterval> | undefined} */ #timer;

  /** @param {string} id @param {import('./stored-conversation.js').Keeping} keeping @param {import('./state-calls.js').Patience} patience */
  constructor(id, keeping, patience) {
    this.#id = id;
    this.#keeping = keeping;
    this.#patience = patience;
  }

  /** Whether the model may be asked: no other process does, or has sent a request since `version`. @param {number} version */
  async take(version) {
    if (this.fence !== null) return true;
    try {
      const taken = await this.#acquire(this.#patience);
      this.#isBusy = taken === null;
      if (taken === null) return false;
      this.#hold(taken);
      if (taken.version !== version) this.found = taken;
      return taken.version === version;
    } catch (error) {
      this.#patience.signal?.throwIfAborted();
      // Two summaries cost less than a prompt that is too long.
      this.#keeping.tell({ did: 'went_on_without', conversationId: this.#id, error });
      return true;
    }
  }

  async settled() {
    if (!this.#isBusy) return;
    this.#isBusy = false;
    const { timeoutMs } = this.#keeping;
    const { signal } = this.#patience;
    const end = performance.now() + MOST_WAITED_MS;
    while (performance.now() < end) {
      await slept(ASKED_AFTER_MS, signal);
      try {
        const taken = await this.#acquire({ leftMs: timeoutMs, signal });
        if (taken === null) continue;
        this.#hold(taken);
        this.found = taken;
        return;
      } catch (error) {
        signal?.throwIfAborted();
        this.#keeping.tell({ did: 'went_on_without', conversationId: this.#id, error });
        return;
      }
    }
  }

  takeFound() {
    const { found } = this;
    this.found = null;
    return found;
  }

  /** @param {import('./state-calls.js').Patience} patience */
  #acquire(patience) {
    const { calls, owner } = this.#keeping;
    return calls.acquire(this.#id, { owner, leaseMs: LEASE_MS }, patience);
  }

  /** @param {AcquiredState} taken */
  #hold({ fence }) {
    this.fence = fence;
    clearInterval(this.#timer);
    this.#timer = setInterval(() => {
      this.#acquire({ leftMs: PROLONGED_AFTER_MS, signal: undefined }).catch(() => {});
    }, PROLONGED_AFTER_MS);
    this.#timer.unref?.();
  }

  async end() {
    clearInterval(this.#timer);
    if (this.fence === null) return;
    const { calls, timeoutMs } = this.#keeping;
    const { signal } = this.#patience;
    const isUnwaited = signal?.aborted === true;
    // The lease would also end by itself.
    const patience = { leftMs: timeoutMs, signal: undefined, isUnwaited };
    const released = calls.release(this.#id, this.fence, patience).catch(() => {});
    if (!isUnwaited) await orAborted(released, signal);
  }
}

/** @param {number} ms @param {AbortSignal | undefined} signal @returns {Promise<void>} */
function slept(ms, signal) {
  signal?.throwIfAborted();
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end);
      resolve();
    }, ms);
    signal?.addEventListener('abort', end, { once: true });
  });
}

module.exports = { SummaryLease };
