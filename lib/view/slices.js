// @ts-check
'use strict';

const { isAnswered, lengthAfterCompression } = require('./request-boundaries.js');

/** Messages of a slice: about 20 ms. */
const SLICE = 1000;

/**
 * @typedef {import('./projection.js').FixedPrefix} FixedPrefix
 * @typedef {object} Reader
 * @property {() => number} known count of messages that were read before
 * @property {(end: number, messages: readonly any[], fixedPrefix: FixedPrefix | undefined) => void} read decides the requests of the first `end` messages
 */

/** Reads a long conversation in slices, between which the event loop runs. Requests keep their order. */
class Slices {
  #reader;
  /** The newest request that is being read. @type {{ messages: readonly any[], done: Promise<void> } | null} */ #newest =
    null;

  /** @param {Reader} reader */
  constructor(reader) {
    this.#reader = reader;
  }

  /** Messages of the newest request that is being read. @returns {readonly any[] | undefined} */
  get messages() {
    return this.#newest?.messages;
  }

  /**
   * @param {readonly any[]} messages
   * @param {FixedPrefix | undefined} fixedPrefix
   * @returns {Promise<void> | undefined} undefined if there is nothing to wait for
   */
  read(messages, fixedPrefix) {
    const before = this.#newest;
    if (before === null && pausesIn(messages, this.#reader.known()).length === 0) return undefined;
    const newest = { messages, done: this.#readAll(messages, fixedPrefix, before?.done) };
    this.#newest = newest;
    return newest.done.finally(() => {
      if (this.#newest === newest) this.#newest = null;
    });
  }

  /** @param {readonly any[]} messages @param {FixedPrefix | undefined} fixedPrefix @param {Promise<void> | undefined} before the previous request */
  async #readAll(messages, fixedPrefix, before) {
    await before?.catch(() => {});
    for (const end of pausesIn(messages, this.#reader.known())) {
      // A call in between may have read more.
      if (end <= this.#reader.known()) continue;
      this.#reader.read(end, messages, fixedPrefix);
      await new Promise(setImmediate);
    }
  }
}

/** Lengths of earlier requests, a slice apart. @param {readonly any[]} messages @param {number} known count of messages that were read before */
function pausesIn(messages, known) {
  const ends = [];
  const last = messages.length - SLICE / 2;
  for (let end = Math.max(known, lengthAfterCompression(messages)) + SLICE; end < last; end++) {
    if (!isAnswered(messages, end)) continue;
    ends.push(end);
    end += SLICE;
  }
  return ends;
}

module.exports = { Slices };
