// @ts-check
/** A FactStore over a map. */
export class MemoryStore {
  /** @type {Map<string, import('palimpsest').StoredFact[]>} */
  conversations = new Map();

  /** @param {() => number} [now] */
  constructor(now = Date.now) {
    this.now = now;
  }

  /** @param {string} id @param {number} from @param {readonly string[]} facts @param {{ signal?: any }} [options] */
  async appendFacts(id, from, facts, options) {
    options?.signal?.throwIfAborted();
    const standing = this.conversations.get(id) ?? [];
    const added = standing.length === from ? facts.map((fact) => ({ fact, atMs: this.now() })) : [];
    this.conversations.set(id, [...standing, ...added]);
    return structuredClone([...standing, ...added].slice(from));
  }

  /** @param {string} id @param {{ signal?: any }} [options] */
  async facts(id, options) {
    return this.appendFacts(id, 0, [], options);
  }
}
