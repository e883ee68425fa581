// @ts-check
/**
 * Reads batches, the archived originals of a compression, from the archive: each at most once.
 * @import { Batch, Fetched } from './outline.js'
 * @typedef {{ get: (sessionId: string, id: string) => unknown }} Source an archive
 * @typedef {{ error?: unknown, batch: Batch }} BatchChange `error`: why a batch could not be read
 */
import { keyOfBatch } from './outline.js';

/** Maximum number of concurrent requests. */ const MAX_PARALLEL = 4;

export class ArchiveBatches {
  /** @type {Source | undefined} */ source;
  /** A record can name any session; only these are read. @type {ReadonlySet<string>} */ #allowedSessions = new Set();
  /** Reads in progress, by batch. @type {Map<string, Promise<void>>} */ #reads = new Map();

  /** @param {Map<string, Fetched>} fetched modified in place @param {(change: BatchChange) => void} changed */
  constructor(fetched, changed) {
    this.fetched = fetched;
    this.changed = changed;
  }

  /** Sets the sessions that may be read. @param {readonly string[]} sessions */
  allow(sessions) {
    this.#allowedSessions = new Set(sessions);
    for (const [key, fetched] of this.fetched) if (fetched === 'foreign') this.fetched.delete(key);
  }

  /** Forgets all results: another source may return other messages. */
  clear() {
    this.fetched.clear();
    this.#reads.clear();
  }

  /** True if there is a source and no result for the batch yet. @param {Batch} batch */
  isWanted(batch) {
    const known = this.fetched.get(keyOfBatch(batch));
    return this.source !== undefined && (known === undefined || known === 'loading');
  }

  /** Reads a batch, unless it was read. Never rejects. @param {Batch} batch @param {{ isRetry?: boolean }} [options] */
  async load(batch, { isRetry = false } = {}) {
    const key = keyOfBatch(batch);
    const { source } = this;
    if (source === undefined || !(isRetry || this.isWanted(batch))) return;
    if (!this.#reads.has(key)) {
      const isAllowed = this.#allowedSessions.has(batch.sessionId);
      this.fetched.set(key, isAllowed ? 'loading' : 'foreign');
      if (isAllowed) this.#reads.set(key, this.#read(source, batch, key));
      this.changed({ batch });
    }
    await this.#reads.get(key);
  }

  /** @param {Source} source @param {Batch} batch @param {string} key */
  async #read(source, batch, key) {
    /** @type {BatchChange} */ const change = { batch };
    /** @type {Fetched} */ let fetched = 'failed';
    try {
      fetched = { messages: await source.get(batch.sessionId, batch.id) };
    } catch (error) {
      change.error = error;
    }
    // The application may have set another source in the meantime.
    if (source !== this.source) return;
    this.#reads.delete(key);
    this.fetched.set(key, fetched);
    this.changed(change);
  }

  /** @param {Batch[]} batches */
  async loadAll(batches) {
    const remaining = [...batches];
    const readRest = async () => {
      for (let batch = remaining.pop(); batch !== undefined; batch = remaining.pop()) await this.load(batch);
    };
    await Promise.all(Array.from({ length: Math.min(MAX_PARALLEL, batches.length) }, readRest));
  }
}
