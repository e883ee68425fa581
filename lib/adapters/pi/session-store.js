// @ts-check
'use strict';

/** The type of our entries in pi's session files; pi sends none of them. */
const ENTRY = 'palimpsest';

/**
 * @typedef {import('../../entry/pi.js').PiSession} Session
 * @typedef {import('../../entry/types/fact-store.js').StoredFact} StoredFact
 * @typedef {Partial<StoredFact> & { sent?: Record<string, unknown> }} Entry
 */

/** A FactStore in a pi session's own file: a branch has the facts of its own entries. Only one process writes to a session's file. */
class SessionStore {
  /** @type {Session | null} */ session = null;
  #append;

  /** @param {(type: string, data: object) => void} append pi's `appendEntry` */
  constructor(append) {
    this.#append = append;
  }

  /** @param {string} _ @param {number} from @param {readonly string[]} facts @returns {Promise<StoredFact[]>} */
  async appendFacts(_, from, facts) {
    const standing = [...this.#entries()].reverse().flatMap(factsIn);
    const atMs = Date.now();
    const added = standing.length === from ? facts.map((fact) => ({ fact, atMs })) : [];
    for (const entry of added) this.#append(ENTRY, entry);
    return [...standing, ...added].slice(from);
  }

  /** @param {string} id */
  async facts(id) {
    return this.appendFacts(id, 0, []);
  }

  /** What `LastProjection` has noted on this branch, oldest first. */
  sent() {
    return [...this.#entries()].map(({ sent }) => sent ?? {}).reverse();
  }

  /** @param {Record<string, unknown>} sent */
  noteSent(sent) {
    this.#append(ENTRY, { sent });
  }

  /** Ours on this branch, newest first. @returns {Generator<Entry, undefined>} */
  *#entries() {
    const { session } = this;
    for (let id = session?.getLeafId() ?? null; id !== null; ) {
      const entry = session?.getEntry(id);
      if (entry?.type === 'custom' && entry.customType === ENTRY) yield entry.data;
      id = entry?.parentId ?? null;
    }
  }
}

/** @param {Entry} entry @returns {StoredFact[]} */
function factsIn({ fact, atMs }) {
  return fact === undefined || atMs === undefined ? [] : [{ fact, atMs }];
}

module.exports = { SessionStore };
