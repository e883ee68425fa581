// @ts-check
'use strict';

const { beforeCompressionOf, compressionOf, repeatedCopy, restored, withChanges } = require('./record.js');
const { isList } = require('../lists.js');
const { copyWith, valuesOf } = require('../messages/message-fields.js');
const { fingerprintOf } = require('../messages/likeness.js');
const { isObject } = require('../plain-data.js');

/**
 * Exports and imports the head of a compressed conversation: the messages that a compression puts before the newest ones. A message of the
 * application is exported as its index, and a copy of one as the index with the fields that differ. Any other message, such as a summary, is
 * exported whole, its originals in exported form.
 *
 * `gone`: removed fields; `pinnedBy`, `carried`: see `record.js`.
 * @typedef {{ at: number, changes?: Record<string, unknown>, gone?: string[], pinnedBy?: string, carried?: boolean }} Copy
 * @typedef {number | Copy | { message: any, originals?: Exported[], earlier?: Exported[][] }} Exported
 */

/** The head in exported form. @param {readonly any[]} head @param {readonly any[]} source the application's messages */
const withoutOriginals = (head, source) => new Exporter(source).exportList(head);

/** Exports messages: finds their indices among the application's messages and the originals in their records. */
class Exporter {
  /** @type {Map<object, number>} */ #indexByObject = new Map();
  /** Filled at first use. @type {Map<number | null, number[]>} */ #indicesByFingerprint = new Map();
  #all;

  /** @param {readonly any[]} source */
  constructor(source) {
    this.#all = flat(source);
    this.#all.forEach((message, index) => {
      if (isObject(message)) this.#indexByObject.set(message, index);
    });
  }

  /** @param {readonly any[]} list @returns {Exported[]} */
  exportList(list) {
    let lastIndex = -1;
    return list.map((message) => {
      const exported = this.#exportOne(message, lastIndex);
      if (typeof exported === 'number') lastIndex = exported;
      return exported;
    });
  }

  /** @param {any} message @param {number} after among identical messages, the next one after this index is used @returns {Exported} */
  #exportOne(message, after) {
    const ownIndex = this.#indexByObject.get(message);
    if (ownIndex !== undefined) return ownIndex;
    const record = compressionOf(message);
    if (record !== undefined) return this.#exportRecord(message, record);
    const beforeCompression = beforeCompressionOf(message);
    const at = this.#indexOfAlike(beforeCompression === undefined ? message : restored(message), after);
    if (at === undefined) return { message };
    if (beforeCompression === undefined) return at;
    const { pinnedBy, carried, fields = {} } = beforeCompression;
    const values = Object.entries(valuesOf(message, Object.keys(fields)));
    const changes = values.filter(([, value]) => value !== undefined);
    const gone = values.filter(([, value]) => value === undefined).map(([name]) => name);
    return {
      at,
      ...(changes.length > 0 && { changes: Object.fromEntries(changes) }),
      ...(gone.length > 0 && { gone }),
      ...(pinnedBy !== undefined && { pinnedBy }),
      ...(carried === true && { carried }),
    };
  }

  /** @param {any} message @param {import('./record.js').CompressionRecord} record @returns {Exported} */
  #exportRecord(message, { originalMessages, earlier, ...record }) {
    return {
      message: copyWith(message, [], { compression: record }),
      ...(isList(originalMessages) && { originals: this.exportList(originalMessages) }),
      ...(isList(earlier) && { earlier: earlier.map((list) => this.exportList(list)) }),
    };
  }

  /** Index of a message with the same content. @param {any} message @param {number} after */
  #indexOfAlike(message, after) {
    const known = this.#indicesByFingerprint;
    if (known.size === 0) {
      this.#all.forEach((each, index) => {
        const fingerprint = fingerprintOf(each);
        const indices = known.get(fingerprint) ?? [];
        indices.push(index);
        known.set(fingerprint, indices);
      });
    }
    const fingerprint = fingerprintOf(message);
    const indices = (fingerprint !== null && known.get(fingerprint)) || [];
    return indices.find((index) => index > after) ?? indices[0];
  }
}

/** The messages, each followed by the messages in its record. @param {readonly any[]} source @returns {any[]} */
function flat(source) {
  return source.flatMap((message) => {
    const { originalMessages, earlier } = compressionOf(message) ?? {};
    if (!isList(originalMessages)) return [message];
    return [message, ...originalMessages, ...(isList(earlier) ? earlier.flat() : [])];
  });
}

/** The head. Throws for an index that is not in `source`. @param {readonly Exported[]} exported @param {readonly any[]} source as it was exported with, or a clone */
function withOriginals(exported, source) {
  const all = flat(source);
  const messageAt = (/** @type {number} */ at) => {
    if (!(at in all)) throw new RangeError('no such message');
    return all[at];
  };
  const messagesOf = (/** @type {readonly Exported[]} */ list) => list.map(messageOf);
  /** @param {Exported} one @returns {any} */
  const messageOf = (one) => {
    if (typeof one === 'number') return messageAt(one);
    if ('at' in one) return copyOf(one, messageAt(one.at));
    const { message, originals, earlier } = one;
    const record = compressionOf(message);
    if (record === undefined || originals === undefined) return message;
    const lists = earlier === undefined ? {} : { earlier: earlier.map(messagesOf) };
    return copyWith(message, [], { compression: { ...record, originalMessages: messagesOf(originals), ...lists } });
  };
  return messagesOf(exported);
}

/** @param {Copy} copy @param {any} message */
function copyOf({ changes = {}, gone = [], pinnedBy, carried = false }, message) {
  const all = { ...changes, ...Object.fromEntries(gone.map((name) => [name, undefined])) };
  const changed = Object.keys(all).length === 0 ? message : withChanges(message, all);
  return pinnedBy === undefined ? changed : repeatedCopy(changed, pinnedBy, carried);
}

module.exports = { withOriginals, withoutOriginals };
