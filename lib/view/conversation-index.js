// @ts-check
'use strict';

const { leadingSystem } = require('../messages/breakpoints.js');
const { fingerprintOf } = require('../messages/likeness.js');
const { viewInternals } = require('./context-view.js');

/**
 * `shared`: count of common messages at the start; `length`: of messages in the conversation's newest request.
 * @typedef {{ entry: Entry, shared: number, length: number }} Nearest
 * @typedef {import('./context-views.js').Entry} Entry
 */

/** How many messages at the end of a request are indexed to find its conversation. */ const INDEXED_COUNT = 4;
/** How many messages at the end of a new request are looked up. */ const LOOKED_UP_COUNT = 32;
/** How many messages' fingerprints make up a key. */ const KEY_LENGTH = 3;
/** Upper limit of conversations compared for one key, newest first; at least the default of `maxViews`. */ const MAX_COMPARED = 64;

/** Finds the conversation that messages continue, rewind or branch off from. If more than 64 begin alike, an older one is found only by its last messages. */
class ConversationIndex {
  /** Keyed by the last messages of the newest request. @type {WeakMap<object, Entry>} */ #byMessage = new WeakMap();
  /** Keyed by those messages' indexes and fingerprints. @type {Map<string, Set<Entry>>} */ #byEnd = new Map();
  /** Keyed by fingerprints of the first messages. @type {Map<string, Set<Entry>>} */ #byStart = new Map();
  /** An entry's keys in both. @type {Map<Entry, { start: string[], end: string[] }>} */ #keys = new Map();
  /** Fingerprints of the request that was looked up last, until it is noted. */ #fingerprints = new Fingerprints([]);

  /** Indexes the newest request of a conversation. @param {Entry} entry @param {readonly any[]} messages */
  note(entry, messages) {
    const keys = this.#keys.get(entry) ?? { start: [], end: [] };
    this.#keys.set(entry, keys);
    const first = Math.max(0, messages.length - INDEXED_COUNT);
    for (const message of messages.slice(first)) {
      if (typeof message === 'object' && message !== null) this.#byMessage.set(message, entry);
    }
    const fingerprints = this.#fingerprints.messages === messages ? this.#fingerprints : new Fingerprints(messages);
    this.#fingerprints = new Fingerprints([]);
    for (const key of keys.end) remove(this.#byEnd, key, entry);
    keys.end = messages.slice(first).map((_, offset) => fingerprints.endKey(first + offset));
    for (const key of keys.end) add(this.#byEnd, key, entry);
    if (keys.start.length === 2) return;
    for (const key of fingerprints.startKeys()) {
      if (keys.start.includes(key)) continue;
      keys.start.push(key);
      add(this.#byStart, key, entry);
    }
  }

  /** Removes a conversation. @param {Entry} entry */
  forget(entry) {
    const keys = this.#keys.get(entry);
    for (const key of keys?.start ?? []) remove(this.#byStart, key, entry);
    for (const key of keys?.end ?? []) remove(this.#byEnd, key, entry);
    this.#keys.delete(entry);
  }

  /** The conversation with the most messages in common. @param {readonly any[]} messages @returns {Nearest | undefined} */
  nearest(messages) {
    this.#fingerprints = new Fingerprints(messages);
    const system = leadingSystem(messages);
    for (const { candidates, tooFew } of this.#candidates(messages)) {
      /** @type {Nearest | undefined} */ let best;
      for (const entry of candidates) {
        const { shared, length } = viewInternals.likenessTo(entry.view, messages);
        if (shared > Math.max(system, tooFew, best?.shared ?? 0)) best = { entry, shared, length };
      }
      if (best !== undefined) return best;
    }
    return undefined;
  }

  /** By a message at the end, then by their start. `tooFew`: a match must share more messages. @param {readonly any[]} messages */
  *#candidates(messages) {
    const stop = Math.max(0, messages.length - LOOKED_UP_COUNT);
    const entries = messages.slice(stop).map((message) => this.#byMessage.get(message));
    const newest = entries.findLast((entry) => entry !== undefined && this.#keys.has(entry));
    if (newest !== undefined) yield { candidates: [newest], tooFew: 0 };
    for (let index = messages.length - 1; index >= stop; index--) {
      const found = this.#byEnd.get(this.#fingerprints.endKey(index));
      if (found !== undefined) yield { candidates: [...found].slice(-MAX_COMPARED).reverse(), tooFew: index };
    }
    for (const key of this.#fingerprints.startKeys()) {
      const found = this.#byStart.get(key);
      if (found !== undefined) yield { candidates: [...found].slice(-MAX_COMPARED).reverse(), tooFew: 0 };
    }
  }
}

/** Fingerprints of one request's messages, each computed once, and the keys made of them. */
class Fingerprints {
  /** Keyed by message index. @type {(number | null | undefined)[]} */ #known = [];

  /** @param {readonly any[]} messages */
  constructor(messages) {
    this.messages = messages;
  }

  /** Those of messages `start` to `end - 1`, as text. @param {number} start @param {number} end */
  #between(start, end) {
    let text = '';
    for (let index = Math.max(0, start); index < end; index++) {
      if (this.#known[index] === undefined) this.#known[index] = fingerprintOf(this.messages[index]);
      text += ` ${this.#known[index]}`;
    }
    return text;
  }

  /** Key of a message and those before it, because many conversations have the same short texts in one place. @param {number} index */
  endKey(index) {
    return `${index}${this.#between(index - KEY_LENGTH + 1, index + 1)}`;
  }

  /** Keys of the first two messages and of the first. @returns {string[]} */
  startKeys() {
    const system = leadingSystem(this.messages);
    const counts = [2, 1].filter((count) => system + count <= this.messages.length);
    return counts.map((count) => this.#between(system, system + count));
  }
}

/** @param {Map<string, Set<Entry>>} index @param {string} key @param {Entry} entry */
function add(index, key, entry) {
  index.set(key, (index.get(key) ?? new Set()).add(entry));
}

/** @param {Map<string, Set<Entry>>} index @param {string} key @param {Entry} entry */
function remove(index, key, entry) {
  const entries = index.get(key);
  entries?.delete(entry);
  if (entries?.size === 0) index.delete(key);
}

module.exports = { ConversationIndex };
