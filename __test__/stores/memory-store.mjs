// @ts-check
/** A StateStore over a map: docs/stores.md shows it. */

const stale = () => Object.assign(new Error('somebody else has gone on'), { code: 'STORE_STALE' });

export class MemoryStore {
  /** @type {Map<string, any>} */
  conversations = new Map();
  /** @type {(sessionId: string, batch: any) => void} */
  append = () => {};

  /** @param {() => number} [now] */
  constructor(now = Date.now) {
    this.now = now;
  }

  /** @param {string} id */
  #of(id) {
    const known = this.conversations.get(id) ?? { state: null, version: 0, fence: 0, owner: null, until: 0 };
    this.conversations.set(id, known);
    return known;
  }

  /** @param {string} id @param {{ owner?: string, leaseMs?: number }} [options] */
  async acquire(id, { owner, leaseMs } = {}) {
    const [one, nowMs] = [this.#of(id), this.now()];
    if (leaseMs !== undefined) {
      const isTaken = one.until > nowMs;
      if (isTaken && one.owner !== owner) return null;
      if (!isTaken || one.owner !== owner) one.fence++;
      Object.assign(one, { owner, until: nowMs + leaseMs });
    }
    return { state: structuredClone(one.state), version: one.version, fence: one.fence, nowMs };
  }

  /** @param {string} id @param {any} commit */
  async commit(id, { fence, version, state, delta, batches = [] }) {
    const one = this.#of(id);
    const content = JSON.stringify([version, state, delta]);
    if (one.content !== content) {
      if (one.version !== version || one.fence !== fence) throw stale();
      for (const batch of batches) this.append(id, batch);
      if (state !== undefined) one.state = { snapshot: state, deltas: [] };
      else one.state.deltas.push(delta);
      Object.assign(one, { version: version + 1, content });
    }
    return { version: one.version, nowMs: this.now() };
  }

  /** @param {string} id @param {{ fence: number }} options */
  async release(id, { fence }) {
    const one = this.#of(id);
    if (one.fence === fence) one.until = 0;
  }
}
