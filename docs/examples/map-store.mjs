// @ts-check
/** A store of a host's own over a Map: for one process, and to be written anew over whatever you have. */
export class MapStore {
  /** @type {Map<string, Map<string, any>>} */
  #sessions = new Map();
  /** @type {Map<string, any>} */
  #states = new Map();

  async append(sessionId, batch, { signal } = /** @type {any} */ ({})) {
    signal?.throwIfAborted();
    const { id, messages, ...rest } = structuredClone({
      ...batch,
      messages: JSON.parse(JSON.stringify(batch.messages)),
    });
    const batches = this.#sessions.get(sessionId) ?? new Map();
    const content = JSON.stringify([rest.kind, rest.level, messages]);
    if (batches.has(id) && batches.get(id).content !== content) throw failure('ARCHIVE_CONFLICT');
    // The session that is written last is the last of the map.
    this.#sessions.delete(sessionId);
    this.#sessions.set(sessionId, batches);
    if (!batches.has(id)) batches.set(id, { content, batch: { id, ...rest, count: messages.length, messages } });
    return { sessionId, id, count: messages.length };
  }

  async get(sessionId, id, options) {
    const [batch] = await this.getMany(sessionId, [id], options);
    if (batch === undefined) throw failure('ARCHIVE_NOT_FOUND');
    return batch.messages;
  }

  async getMany(sessionId, ids, { signal } = /** @type {any} */ ({})) {
    signal?.throwIfAborted();
    return ids.flatMap((id) => structuredClone(this.#sessions.get(sessionId)?.get(id)?.batch) ?? []);
  }

  async search(query, { sessionId: only, limit, offset, signal } = /** @type {any} */ ({})) {
    signal?.throwIfAborted();
    const words = (query.toLowerCase().match(/"[^"]+"(?=\s|$)|\S+/g) ?? []).map((word) =>
      word.replace(/^"(.+)"$/, '$1'),
    );
    const hits = this.#batches(only).flatMap(({ sessionId, id, at, messages }) =>
      messages.map((message, index) => {
        const text = typeof message?.content === 'string' ? message.content : JSON.stringify(message);
        return { sessionId, batchId: id, index, at, role: message?.role ?? '', snippet: text, message };
      }),
    );
    const found = hits.filter(
      ({ snippet }) => words.length > 0 && words.every((word) => snippet.toLowerCase().includes(word)),
    );
    return found.reverse().slice(offset ?? 0, (offset ?? 0) + (limit ?? 20));
  }

  async delete(sessionId) {
    const batches = this.#batches(sessionId);
    this.#sessions.delete(sessionId);
    this.#states.delete(sessionId);
    return { batches: batches.length, messages: batches.reduce((sum, { count }) => sum + count, 0) };
  }

  async integrity() {
    return { ok: true, problems: [] };
  }

  async sessions() {
    const figures = [...this.#sessions.keys()].map((sessionId) => {
      const batches = this.#batches(sessionId);
      const messages = batches.flatMap((batch) => batch.messages);
      const times = batches.map(({ at }) => at);
      const bytes = messages.reduce((sum, message) => sum + Buffer.byteLength(JSON.stringify(message)), 0);
      const [firstAt, lastAt] = [Math.min(...times), Math.max(...times)];
      return { sessionId, batches: batches.length, messages: messages.length, bytes, firstAt, lastAt };
    });
    return figures.reverse();
  }

  async acquire(id, { owner, leaseMs, signal } = /** @type {any} */ ({})) {
    signal?.throwIfAborted();
    const nowMs = Date.now();
    const row = this.#states.get(id) ?? { state: null, version: 0, fence: 0, owner: undefined, endsMs: 0, last: '' };
    if (leaseMs !== undefined) {
      if (row.owner !== owner && row.endsMs > nowMs) return null;
      if (row.owner !== owner || row.endsMs <= nowMs) row.fence += 1;
      this.#states.set(id, Object.assign(row, { owner, endsMs: nowMs + leaseMs }));
    }
    return { state: structuredClone(row.state), version: row.version, fence: row.fence, nowMs };
  }

  async commit(id, { fence, version, state, delta, batches = [], signal }) {
    signal?.throwIfAborted();
    const row = this.#states.get(id) ?? { state: null, version: 0, fence: 0, owner: undefined, endsMs: 0, last: '' };
    const last = JSON.stringify([version, state, delta]);
    if (row.last === last) return { version: row.version, nowMs: Date.now() };
    if (row.version !== version || row.fence !== fence) throw failure('STORE_STALE');
    const kept = new Map(this.#sessions.get(id));
    try {
      for (const batch of batches) await this.append(id, batch);
    } catch (error) {
      this.#sessions.set(id, kept);
      throw error;
    }
    const next =
      state === undefined ? { ...row.state, deltas: [...row.state.deltas, delta] } : { snapshot: state, deltas: [] };
    this.#states.set(id, Object.assign(row, { state: next, version: version + 1, last }));
    return { version: row.version, nowMs: Date.now() };
  }

  async release(id, { fence }) {
    const row = this.#states.get(id);
    if (row?.fence === fence) row.endsMs = 0;
  }

  #batches(only) {
    const sessions = [...this.#sessions].filter(([sessionId]) => only === undefined || sessionId === only);
    return sessions.flatMap(([sessionId, batches]) =>
      [...batches.values()].map(({ batch }) => ({ sessionId, ...batch })),
    );
  }
}

/** @param {string} code */
function failure(code) {
  return Object.assign(new Error(`expected another id, version or fence, got ${code}`), { code });
}
