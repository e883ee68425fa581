// @ts-check
'use strict';

const { crypto } = require('../../node-modules.js');

/** The type of our entries in pi's session files; pi sends none of them. */
const ENTRY = 'palimpsest';
const LARGEST_VERSION = 2 ** 47;

/**
 * @typedef {import('../../entry/pi.js').PiSession} Session
 * @typedef {import('../../entry/types/state-store.js').StateCommit} StateCommit
 * @typedef {{ version?: number, state?: string, delta?: string, sent?: Record<string, unknown> }} Entry
 */

/**
 * A StateStore in a pi session's own file: a branch goes on with its own state. A version is a random number, since another branch
 * may have as many commits. Only one process writes to a session's file, so there are no leases.
 */
class SessionStore {
  /** @type {Session | null} */ session = null;
  #append;

  /** @param {(type: string, data: object) => void} append pi's `appendEntry` */
  constructor(append) {
    this.#append = append;
  }

  async acquire() {
    const nowMs = Date.now();
    /** @type {string[]} */ const deltas = [];
    let newest = 0;
    for (const { version = 0, state, delta } of this.#entries()) {
      newest ||= version;
      if (state !== undefined) return { state: { snapshot: state, deltas }, version: newest, fence: 0, nowMs };
      if (delta !== undefined) deltas.unshift(delta);
    }
    return { state: null, version: 0, fence: 0, nowMs };
  }

  /** @param {string} _ @param {StateCommit} commit */
  async commit(_, { version: before, state, delta }) {
    if (this.#version() !== before)
      throw Object.assign(new Error('another branch of the session'), { code: 'STORE_STALE' });
    const version = crypto.randomInt(1, LARGEST_VERSION);
    this.#append(ENTRY, { version, state, delta });
    return { version, nowMs: Date.now() };
  }

  async release() {}

  #version() {
    for (const { version } of this.#entries()) if (version !== undefined) return version;
    return 0;
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

module.exports = { SessionStore };
