// @ts-check
/** Stores of facts in memory. */

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
    const stored = this.conversations.get(id) ?? [];
    const added = stored.length === from ? facts.map((fact) => ({ fact, atMs: this.now() })) : [];
    this.conversations.set(id, [...stored, ...added]);
    return structuredClone([...stored, ...added].slice(from));
  }

  /** @param {string} id @param {{ signal?: any }} [options] */
  async facts(id, options) {
    return this.appendFacts(id, 0, [], options);
  }
}

/** Records calls; `respond` decides what becomes of each. */
export class ScriptedStore extends MemoryStore {
  /** @type {[from: number, facts: readonly string[]][]} */
  calls = [];
  /** @type {(call: () => Promise<any>, signal: AbortSignal, nth: number) => Promise<any>} `nth` begins with 1 */
  respond = (call) => call();

  /** @override @param {string} id @param {number} from @param {readonly string[]} facts @param {any} [options] */
  appendFacts(id, from, facts, options) {
    // Without the signal, so that a late call is still carried out.
    const call = () => super.appendFacts(id, from, facts);
    return this.respond(call, options?.signal, this.calls.push([from, facts]));
  }
}
