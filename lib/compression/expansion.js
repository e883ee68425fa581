// @ts-check
'use strict';

const { restored } = require('./copies.js');
const { beforeOf, compressionOf } = require('./record.js');
const { NOTHING_BESIDE, standsFor } = require('./stands-for.js');

/** @typedef {import('./damaged-history.js').Code} Code */
/**
 * Messages to walk. One of an earlier compression finds its originals in `lists`, counted back from `position`; `root` is the
 * index in the host's array to which all of it belongs.
 * @typedef {{ messages: readonly any[], lists: readonly any[], position: number, at: number, root: number | undefined }} Level
 * @typedef {{ sessionId: string, id: string, root: number, recordId: string }} Reference
 */

/** Expands one history. Each list of originals is walked once, without recursion: sessions saved by 0.1 have levels within levels. */
class Expansion {
  /** @type {Map<string, unknown>} */ #fetched = new Map();
  /** Records that hold the originals of the copies that they pinned. @type {Set<unknown>} */ #expandable = new Set();
  #surveyed = new Set();
  #messageCount = 0;
  isTooLong = false;
  /** @type {{ code: Code, reason: string } | undefined} */ problem;

  /** @param {number} maxMessages */
  constructor(maxMessages) {
    this.maxMessages = maxMessages;
  }

  /**
   * Walks through everything that `messages` refer to, and returns what is still to be fetched from the archive.
   * @param {readonly any[]} messages @param {number} [root] of messages that were fetched @returns {Reference[]}
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
        const found = this.#within(level, index);
        if (found === undefined) continue;
        if ('missing' in found) missing.push(found.missing);
        else {
          this.#expandable.add(compressionOf(level.messages[index])?.id);
          pending.push(found);
        }
      }
    }
    this.#expandable.delete(undefined);
    return missing;
  }

  /** @param {Reference} reference @param {unknown} messages what the archive gave, unchecked */
  add(reference, messages) {
    this.#fetched.set(keyOf(reference), messages);
  }

  /** Notes that the record's originals are there, so that the copies that it pinned go. @param {Reference} reference */
  accept({ recordId }) {
    if (recordId !== undefined) this.#expandable.add(recordId);
  }

  /** @param {Reference} reference */
  has(reference) {
    return this.#fetched.has(keyOf(reference));
  }

  /** A summary that can't be expanded stays in the history. @param {readonly any[]} messages @returns {any[]} */
  expand(messages) {
    // The survey takes a copy whose originals were left out for damage; the walk below skips such copies.
    this.problem = undefined;
    const history = [];
    const given = new Set();
    const open = new Set();
    const stack = [levelOf(messages, undefined)];
    for (let level = stack.at(-1); level !== undefined; level = stack.at(-1)) {
      const index = level.at++;
      if (index >= level.messages.length) {
        open.delete(level.messages);
        stack.pop();
        continue;
      }
      const message = level.messages[index];
      if (this.#expandable.has(beforeOf(message)?.pinnedBy)) continue;
      const found = this.#within(level, index);
      if (found === undefined || 'missing' in found) {
        if (found !== undefined) this.#noteMissing(found.missing);
        history.push(asItWas(message));
      } else if (open.has(found.messages)) {
        this.#note('ERR_DAMAGED_HISTORY', `${placeOf(found)}: expected other messages, got a record that holds itself`);
      } else if (!given.has(found.messages)) {
        given.add(found.messages);
        open.add(found.messages);
        stack.push(found);
      }
    }
    return history;
  }

  /**
   * The messages that a message stands for; undefined where it stands for itself.
   * @param {Level} level @param {number} index @returns {Level | { missing: Reference } | undefined}
   */
  #within(level, index) {
    const record = compressionOf(level.messages[index]);
    if (record === undefined) return undefined;
    const root = level.root ?? index;
    try {
      return this.#read(record, level, root);
    } catch {
      this.#note('ERR_DAMAGED_HISTORY', `${placeOf({ root })}: expected a record, got one that can't be read`);
      return undefined;
    }
  }

  /** @param {import('./record.js').CompressionRecord} record @param {Level} level @param {number} root @returns {Level | { missing: Reference } | undefined} */
  #read(record, level, root) {
    const referenceTo = (/** @type {import('./stands-for.js').Batch} */ batch) => ({
      ...batch,
      root,
      recordId: record.id,
    });
    const found = standsFor(record, level, (batch) => {
      const reference = referenceTo(batch);
      return this.has(reference) ? { messages: this.#fetched.get(keyOf(reference)) } : undefined;
    });
    if ('missing' in found) return { missing: referenceTo(found.missing) };
    if ('messages' in found) return { ...found, at: 0, root };
    const { wanted, came } = found.damage;
    this.#note('ERR_DAMAGED_HISTORY', `${placeOf({ root })}.originalMessages: expected ${wanted}, got ${came}`);
    return undefined;
  }

  /** @param {Reference} reference */
  #noteMissing(reference) {
    const reason = 'its original messages lie in an archive; expected options.archive, got none';
    this.#note('ERR_ARCHIVE_NEEDED', `${placeOf(reference)}: ${reason}`);
  }

  /** @param {Code} code @param {string} reason */
  #note(code, reason) {
    this.problem ??= { code, reason };
  }
}

/** @param {readonly any[]} messages @param {number | undefined} root @returns {Level} */
function levelOf(messages, root) {
  return { messages, ...NOTHING_BESIDE, at: 0, root };
}

/** @param {{ root: number | undefined }} level */
function placeOf({ root }) {
  return `messages[${root}].compression`;
}

/** @param {Pick<Reference, 'sessionId' | 'id'>} reference */
function keyOf({ sessionId, id }) {
  return JSON.stringify([sessionId, id]);
}

/** @param {any} message */
function asItWas(message) {
  try {
    return restored(message);
  } catch {
    // It is a proxy, and no copy of ours, so no compression changed it.
    return message;
  }
}

module.exports = { Expansion, keyOf };
