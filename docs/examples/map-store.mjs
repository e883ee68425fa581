// @ts-check
/** A store of a host's own over a Map: for one process, and to be written anew over whatever you have. */
export class MapStore {
  /** @type {Map<string, Map<string, any>>} */
  #sessions = new Map();
  /** @type {Map<string, { fact: string, atMs: number }[]>} */
  #facts = new Map();

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
    this.#facts.delete(sessionId);
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

  async appendFacts(id, from, facts, { signal } = /** @type {any} */ ({})) {
    signal?.throwIfAborted();
    const standing = this.#facts.get(id) ?? [];
    if (standing.length === from) {
      const atMs = Date.now();
      this.#facts.set(id, standing.concat(facts.map((fact) => ({ fact, atMs }))));
    }
    return structuredClone((this.#facts.get(id) ?? []).slice(from));
  }

  async facts(id, options) {
    return this.appendFacts(id, 0, [], options);
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
  return Object.assign(new Error(`expected another id, got ${code}`), { code });
}
