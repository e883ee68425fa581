// @ts-check
'use strict';

const { nameErrors, wrongType } = require('../errors.js');
const { restored } = require('./copies.js');
const { beforeCompressionOf, compressionOf, findOriginals, NO_NEIGHBOURS } = require('./record.js');

/** @typedef {'ERR_DAMAGED_HISTORY' | 'ERR_ARCHIVE_NEEDED' | 'ERR_FOREIGN_SESSION' | 'ERR_HISTORY_TOO_LONG'} Code */

/** A compressed history can't be restored completely; `messages` has the readable part. */
class DamagedHistoryError extends Error {
  /** @param {Code} code @param {string} reason @param {any[]} messages @param {unknown} [cause] */
  constructor(code, reason, messages, cause) {
    if (typeof reason !== 'string') throw wrongType('reason', 'a string', reason);
    super(reason, cause === undefined ? undefined : { cause });
    this.code = code;
    /** @type {any[]} */ this.messages = messages;
    // Not enumerable, so that printing the error does not print the conversation.
    Object.defineProperty(this, 'messages', { enumerable: false });
  }
}

nameErrors(DamagedHistoryError, 'DamagedHistoryError');

/**
 * @typedef {object} Visited messages to visit: the history itself, or originals
 * @property {number} nextIndex index of the next message to visit
 * @property {number | undefined} root index in the application's array of the message that contains all of them
 * @typedef {Visited & import('./record.js').Neighbours & { messages: readonly any[] }} Level
 * @typedef {import('./record.js').Batch & { root: number, recordId: string }} Reference to a batch in an archive
 */

/** Expands one history: replaces summaries and notices by their originals. Each list of originals is visited once, without recursion, because sessions saved by 0.1 have deeply nested levels. */
class Expansion {
  /** What the archive returned for each reference. @type {Map<string, unknown>} */ #fetched = new Map();
  /** Ids of records whose originals are available; copies pinned by them are omitted. @type {Set<unknown>} */
  #expandable = new Set();
  /** Lists of messages that the survey has visited. */ #surveyed = new Set();
  #messageCount = 0;
  isTooLong = false;
  /** The first problem. @type {{ code: Code, reason: string } | undefined} */ problem;

  /** @param {number} maxMessages */
  constructor(maxMessages) {
    this.maxMessages = maxMessages;
  }

  /**
   * Visits everything that `messages` refer to, and returns the references that must be fetched from the archive.
   * @param {readonly any[]} messages @param {number} [root] for messages that were fetched @returns {Reference[]}
   */
  survey(messages, root) {
    /** @type {Reference[]} */ const missing = [];
    const pending = [levelOf(messages, root)];
    for (let level = pending.pop(); level !== undefined; level = pending.pop()) {
      if (this.#surveyed.has(level.messages)) continue;
      this.#surveyed.add(level.messages);
      this.#messageCount += level.messages.length;
      if (this.#messageCount > this.maxMessages) {
        this.isTooLong = true;
        const reason = `messages: expected a history of at most ${this.maxMessages} messages, got a longer one`;
        this.problem = { code: 'ERR_HISTORY_TOO_LONG', reason };
        return [];
      }
      for (let index = 0; index < level.messages.length; index++) {
        const originals = this.#originalsOf(level, index);
        if (originals === undefined) continue;
        if ('missing' in originals) missing.push(originals.missing);
        else {
          this.#expandable.add(compressionOf(level.messages[index])?.id);
          pending.push(originals);
        }
      }
    }
    this.#expandable.delete(undefined);
    return missing;
  }

  /** @param {Reference} reference @param {unknown} messages the archive's result, unchecked */
  add(reference, messages) {
    this.#fetched.set(keyOf(reference), messages);
  }

  /** Marks the record's originals as available, so that the copies that it pinned are omitted. @param {Reference} reference */
  accept({ recordId }) {
    if (recordId !== undefined) this.#expandable.add(recordId);
  }

  /** @param {import('./record.js').Batch} batch */
  has(batch) {
    return this.#fetched.has(keyOf(batch));
  }

  /** Returns the expanded history. A summary that can't be expanded stays in it. @param {readonly any[]} messages @returns {any[]} */
  expand(messages) {
    // The survey also visits a pinned copy whose originals were lost to damage; the loop below skips such copies.
    this.problem = undefined;
    const history = [];
    const expandedLists = new Set();
    const openLists = new Set();
    const stack = [levelOf(messages, undefined)];
    for (let level = stack.at(-1); level !== undefined; level = stack.at(-1)) {
      const index = level.nextIndex++;
      if (index >= level.messages.length) {
        openLists.delete(level.messages);
        stack.pop();
        continue;
      }
      const message = level.messages[index];
      if (this.#expandable.has(beforeCompressionOf(message)?.pinnedBy)) continue;
      const originals = this.#originalsOf(level, index);
      if (originals === undefined || 'missing' in originals) {
        if (originals !== undefined) {
          const reason = 'its original messages lie in an archive; expected options.archive, got none';
          this.#note('ERR_ARCHIVE_NEEDED', `${pathOf(originals.missing)}: ${reason}`);
        }
        history.push(withoutChanges(message));
      } else if (openLists.has(originals.messages)) {
        this.#note(
          'ERR_DAMAGED_HISTORY',
          `${pathOf(originals)}: expected other messages, got a record that holds itself`,
        );
      } else if (!expandedLists.has(originals.messages)) {
        expandedLists.add(originals.messages);
        openLists.add(originals.messages);
        stack.push(originals);
      }
    }
    return history;
  }

  /**
   * The messages that a message replaces; undefined if it replaces none.
   * @param {Level} level @param {number} index @returns {Level | { missing: Reference } | undefined}
   */
  #originalsOf(level, index) {
    const record = compressionOf(level.messages[index]);
    if (record === undefined) return undefined;
    const root = level.root ?? index;
    try {
      const found = findOriginals(record, level, (batch) =>
        this.has(batch) ? { messages: this.#fetched.get(keyOf(batch)) } : undefined,
      );
      if ('missing' in found) return { missing: { ...found.missing, root, recordId: record.id } };
      if ('messages' in found) return { ...found, nextIndex: 0, root };
      this.#note('ERR_DAMAGED_HISTORY', `${pathOf({ root })}.originalMessages: ${found.damage}`);
    } catch {
      this.#note('ERR_DAMAGED_HISTORY', `${pathOf({ root })}: expected a record, got one that can't be read`);
    }
    return undefined;
  }

  /** @param {Code} code @param {string} reason */
  #note(code, reason) {
    this.problem ??= { code, reason };
  }
}

/** @param {readonly any[]} messages @param {number | undefined} root @returns {Level} */
function levelOf(messages, root) {
  return { messages, ...NO_NEIGHBOURS, nextIndex: 0, root };
}

/** The place in the application's array, as errors name it. @param {{ root: number | undefined }} level */
function pathOf({ root }) {
  return `messages[${root}].compression`;
}

/** @param {import('./record.js').Batch} batch */
function keyOf({ sessionId, id }) {
  return JSON.stringify([sessionId, id]);
}

/** @param {any} message */
function withoutChanges(message) {
  try {
    return restored(message);
  } catch {
    // A proxy is not one of our copies, so no compression changed it.
    return message;
  }
}

module.exports = { DamagedHistoryError, Expansion, keyOf };
