// @ts-check
'use strict';

/** The type of our entries in pi's session files; pi never sends them. */
const ENTRY = 'palimpsest';

/** @typedef {import('../../entry/pi.js').PiSession} Session */

/** The replacements of requests, in pi's own session file, so that a branch continues with its own entries. */
class SessionStore {
  /** @type {Session | null} */ session = null;
  #append;

  /** @param {(type: string, data: object) => void} append pi's `appendEntry` */
  constructor(append) {
    this.#append = append;
  }

  /** The changes recorded by `LastProjection` on this branch, oldest first. */
  sent() {
    return [...this.#entries()].map(({ sent }) => sent ?? {}).reverse();
  }

  /** @param {Record<string, unknown>} sent */
  noteSent(sent) {
    this.#append(ENTRY, { sent });
  }

  /** Our entries on this branch, newest first. @returns {Generator<{ sent?: Record<string, unknown> }, undefined>} */
  *#entries() {
    const { session } = this;
    for (let id = session?.getLeafId() ?? null; id !== null; ) {
      const entry = session?.getEntry(id);
      if (entry?.type === 'custom' && entry.customType === ENTRY) yield entry.data;
      id = entry?.parentId ?? null;
    }
  }
}

module.exports = { SessionStore };
