// @ts-check
'use strict';

const { isAnswered, lengthAfterCompression } = require('./request-boundaries.js');

/** Count of messages that are read without a pause; they take about 20 ms. */ const SLICE_LENGTH = 1000;

/**
 * @typedef {import('./projection.js').FixedPrefix} FixedPrefix
 * @typedef {object} Reader
 * @property {() => number} readCount count of messages that were read before
 * @property {(end: number, messages: readonly any[], fixedPrefix: FixedPrefix | undefined) => void} read reads the first `end` messages
 */

/** Reads a long conversation in slices, between which the event loop runs. Requests keep their order. */
class Slices {
  #reader;
  /** The newest request that is being read. @type {{ messages: readonly any[], done: Promise<void> } | null} */
  #newest = null;

  /** @param {Reader} reader */
  constructor(reader) {
    this.#reader = reader;
  }

  /** Messages of the newest request that is being read. @returns {readonly any[] | undefined} */
  get messages() {
    return this.#newest?.messages;
  }

  /** Undefined if there is nothing to wait for. @param {readonly any[]} messages @param {FixedPrefix | undefined} fixedPrefix */
  read(messages, fixedPrefix) {
    const previous = this.#newest;
    if (previous === null && sliceEndsIn(messages, this.#reader.readCount()).length === 0) return undefined;
    const newest = { messages, done: this.#readAll(messages, fixedPrefix, previous?.done) };
    this.#newest = newest;
    return newest.done.finally(() => {
      if (this.#newest === newest) this.#newest = null;
    });
  }

  /** @param {readonly any[]} messages @param {FixedPrefix | undefined} fixedPrefix @param {Promise<void> | undefined} previous request */
  async #readAll(messages, fixedPrefix, previous) {
    await previous?.catch(() => {});
    for (const end of sliceEndsIn(messages, this.#reader.readCount())) {
      // During the pause, another call may have read more.
      if (end <= this.#reader.readCount()) continue;
      this.#reader.read(end, messages, fixedPrefix);
      await new Promise(setImmediate);
    }
  }
}

/** Lengths of earlier requests, at least a slice apart. @param {readonly any[]} messages @param {number} readCount count of messages that were read before */
function sliceEndsIn(messages, readCount) {
  const ends = [];
  // A shorter rest is not worth a pause.
  const limit = messages.length - SLICE_LENGTH / 2;
  for (let end = Math.max(readCount, lengthAfterCompression(messages)) + SLICE_LENGTH; end < limit; end++) {
    if (!isAnswered(messages, end)) continue;
    ends.push(end);
    end += SLICE_LENGTH;
  }
  return ends;
}

module.exports = { Slices };
