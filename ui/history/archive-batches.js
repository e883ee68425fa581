// @ts-check
import { keyOfBatch } from './outline.js';

/**
 * Reads each batch from the archive at most once.
 *
 * @typedef {import('./outline.js').Batch} Batch
 * @typedef {{ get: (sessionId: string, id: string) => unknown }} Source
 */

/** Maximum number of concurrent requests. */
const MAX_PARALLEL = 4;

export class ArchiveBatches {
  /** @type {Source | undefined} */
  source;
  /** Sessions that may be read, because a record can name any session. @type {ReadonlySet<string>} */
  #sessions = new Set();
  /** @type {Map<string, Promise<void>>} */
  #underWay = new Map();

  /**
   * @param {Map<string, import('./outline.js').Fetched>} fetched
   * @param {(change: { error?: unknown, batch: Batch }) => void} changed
   */
  constructor(fetched, changed) {
    this.fetched = fetched;
    this.changed = changed;
  }

  /** @param {readonly string[]} sessions */
  allow(sessions) {
    this.#sessions = new Set(sessions);
    for (const [key, fetched] of this.fetched) if (fetched === 'foreign') this.fetched.delete(key);
  }

  /** A new source may return other messages. */
  clear() {
    this.fetched.clear();
    this.#underWay.clear();
  }

  /** True if the batch was not requested yet. @param {Batch} batch */
  isWanted(batch) {
    const known = this.fetched.get(keyOfBatch(batch));
    return this.source !== undefined && (known === undefined || known === 'loading');
  }

  /** Never rejects. @param {Batch} batch @param {{ isRetry?: boolean }} [how] */
  load(batch, { isRetry = false } = {}) {
    const key = keyOfBatch(batch);
    const { source } = this;
    const known = this.fetched.get(key);
    if (source === undefined || (known !== undefined && known !== 'loading' && !isRetry)) return Promise.resolve();
    const underWay = this.#underWay.get(key);
    if (underWay !== undefined) return underWay;
    if (!this.#sessions.has(batch.sessionId)) {
      this.fetched.set(key, 'foreign');
      this.changed({ batch });
      return Promise.resolve();
    }
    this.fetched.set(key, 'loading');
    const work = this.#get(source, batch, key);
    this.#underWay.set(key, work);
    this.changed({ batch });
    return work;
  }

  /** @param {Source} source @param {Batch} batch @param {string} key */
  async #get(source, batch, key) {
    /** @type {{ error?: unknown, batch: Batch }} */
    const change = { batch };
    /** @type {import('./outline.js').Fetched} */
    let fetched = 'failed';
    try {
      fetched = { messages: await source.get(batch.sessionId, batch.id) };
    } catch (error) {
      change.error = error;
    }
    // The application may have set another source in the meantime.
    if (source !== this.source) return;
    this.#underWay.delete(key);
    this.fetched.set(key, fetched);
    this.changed(change);
  }

  /** @param {Batch[]} batches */
  async loadAll(batches) {
    const left = [...batches];
    const work = async () => {
      for (let batch = left.pop(); batch !== undefined; batch = left.pop()) await this.load(batch);
    };
    await Promise.all(Array.from({ length: Math.min(MAX_PARALLEL, batches.length) }, work));
  }
}
