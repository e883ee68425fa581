// @ts-check
'use strict';

const { checkMessages, checkOptions } = require('../arguments.js');
const { wrongType } = require('../errors.js');
const { isList } = require('../lists.js');
const { restored } = require('./copies.js');
const { beforeOf, compressionOf } = require('./record.js');

/** Levels nest once per compression of a compression; a record that holds itself must end somewhere. */
const MAX_DEPTH = 1_000;

/** A compressed history can't be given back whole. `messages` is what can be seen of it. */
class DamagedHistoryError extends Error {
  /**
   * @param {'ERR_DAMAGED_HISTORY' | 'ERR_ARCHIVE_NEEDED'} code
   * @param {string} reason
   * @param {any[]} messages
   * @param {unknown} [cause]
   */
  constructor(code, reason, messages, cause) {
    if (typeof reason !== 'string') throw wrongType('reason', 'a string', reason);
    super(reason, cause === undefined ? undefined : { cause });
    this.code = code;
    /** @type {any[]} */
    this.messages = [];
    // Loggers print whatever an error lists.
    Object.defineProperty(this, 'messages', { value: messages, enumerable: false });
  }
}

Object.defineProperty(DamagedHistoryError.prototype, 'name', {
  value: 'DamagedHistoryError',
  writable: true,
  configurable: true,
});

/**
 * @param {readonly any[]} messages
 * @param {unknown} [options]
 * @returns {any[] | Promise<any[]>}
 */
function expandHistory(messages, options) {
  checkMessages(messages);
  const archive = checkOptions(options)?.archive;
  if (archive === undefined || archive === null) return new Expansion(new Map()).expand(messages);
  if (typeof (/** @type {any} */ (archive).get) !== 'function') {
    throw wrongType('options.archive', 'a SessionArchive', archive);
  }
  return expandFromArchive(messages, archive);
}

/**
 * Fetches what lies in the archive, level by level, then expands as if all of it were in the array.
 * @param {readonly any[]} messages
 * @param {any} archive
 */
async function expandFromArchive(messages, archive) {
  /** @type {Map<string, any[]>} */
  const fetched = new Map();
  let pending = archivedIn(messages);
  while (pending.length > 0) {
    /** @type {{ sessionId: string, id: string }[]} */
    const next = [];
    for (const { sessionId, id } of pending) {
      const key = JSON.stringify([sessionId, id]);
      if (fetched.has(key)) continue;
      try {
        const originals = await archive.get(sessionId, id);
        fetched.set(key, originals);
        next.push(...archivedIn(originals));
      } catch (error) {
        const reason = `history: expected batch '${id}' of session '${sessionId}' in the archive, which could not be read`;
        throw new DamagedHistoryError('ERR_DAMAGED_HISTORY', reason, visible(messages, fetched), error);
      }
    }
    pending = next;
  }
  return new Expansion(fetched).expand(messages);
}

/** @param {readonly any[]} messages @returns {{ sessionId: string, id: string }[]} */
function archivedIn(messages, depth = 0) {
  if (depth > MAX_DEPTH) return [];
  return messages.flatMap((message) => {
    const record = compressionOf(message);
    if (record === undefined) return [];
    if (isList(record.originalMessages)) return archivedIn(record.originalMessages, depth + 1);
    return record.archive !== null && typeof record.archive === 'object' ? [record.archive] : [];
  });
}

/** @param {readonly any[]} messages @param {Map<string, any[]>} fetched */
function visible(messages, fetched) {
  return new Expansion(fetched, true).expand(messages);
}

/** One history on its way back. */
class Expansion {
  /** @param {Map<string, any[]>} fetched @param {boolean} [lenient] leaves what can't be expanded as it is */
  constructor(fetched, lenient = false) {
    this.fetched = fetched;
    this.lenient = lenient;
    /** Records that can be expanded: the copies of what they pinned are in them. @type {Set<string>} */
    this.expandable = new Set();
    /** @type {{ code: 'ERR_DAMAGED_HISTORY' | 'ERR_ARCHIVE_NEEDED', reason: string } | undefined} */
    this.problem = undefined;
  }

  /** @param {readonly any[]} messages @returns {any[]} */
  expand(messages) {
    this.#collect(messages, 0);
    const history = this.#flatten(messages, 0).map((message) => this.#restore(message));
    if (this.problem !== undefined && !this.lenient) {
      throw new DamagedHistoryError(this.problem.code, this.problem.reason, history);
    }
    return history;
  }

  /** @param {readonly any[]} messages @param {number} depth */
  #collect(messages, depth) {
    if (depth > MAX_DEPTH) return;
    messages.forEach((message, index) => {
      const record = compressionOf(message);
      const originals = record && this.#originalsOf(record, index);
      if (record === undefined || originals === undefined) return;
      this.expandable.add(record.id);
      this.#collect(originals, depth + 1);
    });
  }

  /** @param {readonly any[]} messages @param {number} depth @returns {any[]} */
  #flatten(messages, depth) {
    if (depth > MAX_DEPTH) {
      this.problem ??= {
        code: 'ERR_DAMAGED_HISTORY',
        reason: `history: expected at most ${MAX_DEPTH} levels, got more`,
      };
      return [];
    }
    const flat = [];
    for (let index = 0; index < messages.length; index++) {
      const message = messages[index];
      if (this.expandable.has(beforeOf(message)?.pinnedBy ?? '')) continue;
      const record = compressionOf(message);
      const originals = record && this.#originalsOf(record, index);
      if (record === undefined || originals === undefined) flat.push(message);
      else {
        for (const original of this.#flatten(originals, depth + 1)) flat.push(original);
      }
    }
    return flat;
  }

  /**
   * @param {import('./record.js').CompressionRecord} record
   * @param {number} index
   */
  #originalsOf(record, index) {
    const { archive } = record;
    let originals = record.originalMessages;
    if (originals === undefined && archive !== null && typeof archive === 'object') {
      originals = this.fetched.get(JSON.stringify([archive.sessionId, archive.id]));
      if (originals === undefined) {
        const reason = `messages[${index}].compression: its original messages lie in an archive; expected options.archive, got none`;
        this.problem ??= { code: 'ERR_ARCHIVE_NEEDED', reason };
        return undefined;
      }
    }
    const expected = record.messageCount;
    if (!isList(originals) || (typeof expected === 'number' && originals.length !== expected)) {
      const came = Array.isArray(originals) ? `${originals.length} messages` : typeof originals;
      const wanted = typeof expected === 'number' ? `an array of ${expected} messages` : 'an array of messages';
      const reason = `messages[${index}].compression.originalMessages: expected ${wanted}, got ${came}`;
      this.problem ??= { code: 'ERR_DAMAGED_HISTORY', reason };
      return undefined;
    }
    return originals;
  }

  /** @param {any} message */
  #restore(message) {
    try {
      return restored(message);
    } catch {
      // A proxy that can't be copied: it was never changed by us.
      return message;
    }
  }
}

module.exports = { DamagedHistoryError, expandHistory };
