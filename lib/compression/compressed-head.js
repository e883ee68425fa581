// @ts-check
'use strict';

const { repeatedCopy, restored, withChanges } = require('./copies.js');
const { beforeCompressionOf, compressionOf } = require('./record.js');
const { isList } = require('../lists.js');
const { copyWith, valuesOf } = require('../messages/message-fields.js');
const { fingerprintOf } = require('../messages/likeness.js');

/**
 * The head: the messages that a compression puts before the newest messages. In exported form, a message of the application is stored
 * as its index, and a copy as the index with the fields that differ (`gone`: removed fields; `pinnedBy`, `carried`: of a pinned
 * message that is repeated). Any other message, such as a summary, is stored whole, its originals in exported form.
 * @typedef {{ at: number, changes?: Record<string, unknown>, gone?: string[], pinnedBy?: string, carried?: boolean }} Copy
 * @typedef {number | Copy | { message: any, originals?: Kept[], earlier?: Kept[][] }} Kept
 */

/** The head in exported form. @param {readonly any[]} head @param {readonly any[]} source the application's messages @returns {Kept[]} */
function withoutOriginals(head, source) {
  return new Exporter(source).kept(head);
}

/** Exports messages: finds their indices among the application's messages and those in their records. */
class Exporter {
  /** @type {Map<object, number>} */ #byObject = new Map();
  /** @type {Map<number, number[]> | undefined} */ #byFingerprint;
  #all;

  /** @param {readonly any[]} source */
  constructor(source) {
    this.#all = flat(source);
    this.#all.forEach((message, at) => {
      if (typeof message === 'object' && message !== null) this.#byObject.set(message, at);
    });
  }

  /** @param {readonly any[]} list @returns {Kept[]} */
  kept(list) {
    let last = -1;
    return list.map((message) => {
      const kept = this.#keptOf(message, last);
      if (typeof kept === 'number') last = kept;
      return kept;
    });
  }

  /** @param {any} message @param {number} after among identical messages, the next one after this index is used @returns {Kept} */
  #keptOf(message, after) {
    const same = this.#byObject.get(message);
    if (same !== undefined) return same;
    const record = compressionOf(message);
    if (record !== undefined) return this.#keptRecord(message, record);
    const before = beforeCompressionOf(message);
    const at = this.#indexOfAlike(before === undefined ? message : restored(message), after);
    if (at === undefined) return { message };
    if (before === undefined) return at;
    const { pinnedBy, carried, fields = {} } = before;
    const names = Object.keys(fields);
    const changes = Object.entries(valuesOf(message, names)).filter(([, value]) => value !== undefined);
    const gone = names.filter((name) => !changes.some(([field]) => field === name));
    return {
      at,
      ...(changes.length > 0 && { changes: Object.fromEntries(changes) }),
      ...(gone.length > 0 && { gone }),
      ...(pinnedBy !== undefined && { pinnedBy }),
      ...(carried === true && { carried }),
    };
  }

  /** @param {any} message @param {import('./record.js').CompressionRecord} record @returns {Kept} */
  #keptRecord(message, { originalMessages, earlier, ...record }) {
    const bare = copyWith(message, [], { compression: record });
    return {
      message: bare,
      ...(isList(originalMessages) && { originals: this.kept(originalMessages) }),
      ...(isList(earlier) && { earlier: earlier.map((list) => this.kept(list)) }),
    };
  }

  /** Index of a message with the same content. @param {any} message @param {number} after @returns {number | undefined} */
  #indexOfAlike(message, after) {
    this.#byFingerprint ??= indicesByFingerprint(this.#all);
    const fingerprint = fingerprintOf(message);
    const indices = (fingerprint !== null && this.#byFingerprint.get(fingerprint)) || [];
    return indices.find((index) => index > after) ?? indices[0];
  }
}

/** @param {readonly any[]} all */
function indicesByFingerprint(all) {
  /** @type {Map<number, number[]>} */
  const indices = new Map();
  all.forEach((message, at) => {
    const fingerprint = fingerprintOf(message);
    if (fingerprint === null) return;
    const known = indices.get(fingerprint);
    if (known === undefined) indices.set(fingerprint, [at]);
    else known.push(at);
  });
  return indices;
}

/** The messages, each followed by the messages in its record. @param {readonly any[]} source @returns {any[]} */
function flat(source) {
  return source.flatMap((message) => {
    const { originalMessages, earlier } = compressionOf(message) ?? {};
    if (!isList(originalMessages)) return [message];
    return [message, ...originalMessages, ...(isList(earlier) ? earlier.flat() : [])];
  });
}

/**
 * The head from its exported form.
 * @param {readonly Kept[]} kept
 * @param {readonly any[]} source the messages that {@link withoutOriginals} was given, or their clones
 * @returns {any[]}
 * @throws if an index is not that of a message in `source`
 */
function withOriginals(kept, source) {
  const all = flat(source);
  const found = (/** @type {number} */ at) => {
    if (!(at in all)) throw new RangeError('no such message');
    return all[at];
  };
  const messagesOf = (/** @type {readonly Kept[]} */ list) => list.map(messageOf);
  /** @param {Kept} one @returns {any} */
  const messageOf = (one) => {
    if (typeof one === 'number') return found(one);
    if ('at' in one) return copyOf(one, found(one.at));
    const { message, originals, earlier } = one;
    const record = compressionOf(message);
    if (record === undefined || originals === undefined) return message;
    const lists = earlier === undefined ? {} : { earlier: earlier.map(messagesOf) };
    return copyWith(message, [], { compression: { ...record, originalMessages: messagesOf(originals), ...lists } });
  };
  return messagesOf(kept);
}

/** @param {Copy} copy @param {any} message */
function copyOf({ changes = {}, gone = [], pinnedBy, carried = false }, message) {
  const all = { ...changes, ...Object.fromEntries(gone.map((name) => [name, undefined])) };
  const changed = Object.keys(all).length === 0 ? message : withChanges(message, all);
  return pinnedBy === undefined ? changed : repeatedCopy(changed, pinnedBy, carried);
}

module.exports = { withOriginals, withoutOriginals };
