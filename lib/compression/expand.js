// @ts-check
'use strict';

/** Restores the original messages of a compressed history, from its records or from an archive. */

const { copyOfList } = require('../lists.js');
const { readStore } = require('../archive/store.js');
const { readId } = require('../archive/stored-form.js');
const { checkLength, checkMessages, checkOptions, isGiven, readInteger, readText } = require('../arguments.js');
const { OPTIONS } = require('../option-names.js');
const { causedBy, nameErrors } = require('../errors.js');
const { forcedFrom } = require('../messages/choice.js');
const { safely } = require('../plain-data.js');
const { beforeCompressionOf, compressionOf, findOriginals, NO_NEIGHBOURS, restored } = require('./record.js');

/**
 * `nextIndex`: of the next message to visit; `root`: index in the application's array of the message that contains all of them.
 * @typedef {'ERR_DAMAGED_HISTORY' | 'ERR_ARCHIVE_NEEDED' | 'ERR_FOREIGN_SESSION' | 'ERR_HISTORY_TOO_LONG'} Code
 * @typedef {import('./record.js').Batch} Batch
 * @typedef {import('./record.js').Neighbours & { messages: readonly any[], nextIndex: number, root: number | undefined }} Level
 * @typedef {Batch & { root: number, recordId: string }} Reference to a batch in an archive
 * @typedef {{ archive: import('../entry/types/compression.js').OriginalsSource, sessions: Set<string> }} Source the archive, and
 *   the sessions that may be read: a record could name anybody's
 */

/** Far above any session; bounds the memory that a crafted record can use. */ const DEFAULT_MAX_MESSAGES = 1_000_000;
const LARGEST_MAX_MESSAGES = 2 ** 32 - 1;
/** Maximum number of batches (the originals of one record) that are fetched in one call. */ const MAX_BATCHES = 32;

/** A compressed history can't be restored completely; `messages` has the readable part. */
class DamagedHistoryError extends Error {
  /** @param {Code} code @param {string} reason @param {any[]} messages @param {unknown} [cause] */
  constructor(code, reason, messages, cause) {
    super(readText('reason', reason), causedBy(cause));
    this.code = code;
    /** @type {any[]} */ this.messages = messages;
    // Not enumerable, so that printing the error does not print the conversation.
    Object.defineProperty(this, 'messages', { enumerable: false });
  }
}

nameErrors(DamagedHistoryError, 'DamagedHistoryError');

/** @param {readonly any[]} messages @param {unknown} [options] @returns {any[] | Promise<any[]>} */
function expandHistory(messages, options) {
  checkMessages(messages);
  const checked = checkOptions(options, OPTIONS.expandHistory) ?? {};
  const { archive, sessionId, maxMessages } = checked;
  // Records are found in every dialect. `dialect` is only validated, because applications pass the same options to all functions.
  forcedFrom(checked);
  const most = readInteger('options.maxMessages', maxMessages ?? DEFAULT_MAX_MESSAGES, 0, LARGEST_MAX_MESSAGES);
  const expansion = new Expansion(messages, most);
  if (!isGiven(archive)) {
    expansion.survey(messages);
    return expansion.result();
  }
  const source = readStore('options.archive', archive, ['get']);
  const names = Array.isArray(sessionId) ? sessionId : [sessionId];
  checkLength('options.sessionId', names);
  const sessions = new Set(names.map((name) => readId('options.sessionId', name)));
  return expandFromArchive(expansion, messages, { archive: source, sessions });
}

/** @param {Expansion} expansion @param {readonly any[]} messages @param {Source} source */
async function expandFromArchive(expansion, messages, source) {
  const references = expansion.survey(messages);
  let start = 0;
  while (start < references.length && !expansion.isTooLong) {
    const batch = references.slice(start, start + MAX_BATCHES);
    start += batch.length;
    for (const nested of await addOriginals(expansion, batch, source)) references.push(nested);
  }
  return expansion.result();
}

/** Fetches originals into the expansion; returns the references in them. @param {Expansion} expansion @param {readonly Reference[]} references @param {Source} source */
async function addOriginals(expansion, references, source) {
  const { fetched, expandable } = expansion;
  /** @type {Reference[]} */ const nested = [];
  const unfetched = references.filter((reference) => !fetched.has(keyOf(reference)));
  const prefetched = await prefetch(source, unfetched);
  for (const reference of references) {
    const key = keyOf(reference);
    if (!fetched.has(key)) {
      const messages = prefetched.get(key) ?? (await fetchFrom(source, reference, expansion));
      fetched.set(key, messages);
      if (Array.isArray(messages)) for (const one of expansion.survey(messages, reference.root)) nested.push(one);
    }
    if (reference.recordId !== undefined) expandable.add(reference.recordId);
    if (expansion.isTooLong) break;
  }
  return nested;
}

/** Batches that the archive gives in one call. @param {Source} source @param {readonly Reference[]} references */
async function prefetch({ archive, sessions }, references) {
  /** @type {Map<string, unknown>} */ const found = new Map();
  if (typeof archive.getMany !== 'function') return found;
  for (const sessionId of sessions) {
    const ids = new Set(references.filter((one) => one.sessionId === sessionId).map(({ id }) => id));
    if (ids.size < 2) continue;
    try {
      const batches = await archive.getMany(sessionId, [...ids]);
      for (const { id, messages } of batches) found.set(keyOf({ sessionId, id }), messages);
    } catch {
      // They are fetched one by one below, so that the error names the batch.
    }
  }
  return found;
}

/** @param {Source} source @param {Reference} reference @param {Expansion} expansion */
async function fetchFrom({ archive, sessions }, { sessionId, id, root }, expansion) {
  /** @param {Code} code @param {string} problem @param {unknown} [cause] */
  const damaged = (code, problem, cause) =>
    new DamagedHistoryError(code, `${pathOf(root)}.archive: ${problem}`, expansion.expanded(), cause);
  if (!sessions.has(sessionId)) {
    throw damaged('ERR_FOREIGN_SESSION', 'expected the session of options.sessionId, got another');
  }
  try {
    return await archive.get(sessionId, id);
  } catch (error) {
    throw damaged('ERR_DAMAGED_HISTORY', 'expected a batch that the archive holds, got an error', error);
  }
}

/** Expands one history. Each list of originals is visited once, without recursion, because sessions saved by 0.1 have deeply nested levels. */
class Expansion {
  /** What the archive returned for each reference. @type {Map<string, unknown>} */ fetched = new Map();
  /** Ids of records with available originals, whose copies are omitted. @type {Set<unknown>} */ expandable = new Set();
  isTooLong = false;
  #messages;
  #maxMessages;
  #messageCount = 0;
  /** Lists of messages that the survey has visited. */ #surveyed = new Set();
  /** The first problem. @type {{ code: Code, reason: string } | undefined} */ #problem;

  /** @param {readonly any[]} messages the history @param {number} maxMessages */
  constructor(messages, maxMessages) {
    this.#messages = messages;
    this.#maxMessages = maxMessages;
  }

  /** Visits everything that `messages` refer to; returns what must be fetched. @param {readonly any[]} messages @param {number} [root] of fetched messages */
  survey(messages, root) {
    /** @type {Reference[]} */ const missing = [];
    const pending = [levelOf(messages, root)];
    for (let level = pending.pop(); level !== undefined; level = pending.pop()) {
      if (this.#surveyed.has(level.messages)) continue;
      this.#surveyed.add(level.messages);
      this.#messageCount += level.messages.length;
      if (this.#messageCount > this.#maxMessages) {
        this.isTooLong = true;
        return [];
      }
      for (let index = 0; index < level.messages.length; index++) {
        const originals = this.#originalsOf(level, index);
        if (originals === undefined) continue;
        if ('missing' in originals) missing.push(originals.missing);
        else {
          this.expandable.add(compressionOf(level.messages[index])?.id);
          pending.push(originals);
        }
      }
    }
    this.expandable.delete(undefined);
    return missing;
  }

  /** The restored history. @throws {DamagedHistoryError} */
  result() {
    if (this.isTooLong) {
      const reason = `messages: expected a history of at most ${this.#maxMessages} messages, got a longer one`;
      throw new DamagedHistoryError('ERR_HISTORY_TOO_LONG', reason, copyOfList(this.#messages, 0, this.#maxMessages));
    }
    const history = this.expanded();
    if (this.#problem === undefined) return history;
    throw new DamagedHistoryError(this.#problem.code, this.#problem.reason, history);
  }

  /** The history expanded so far. A summary that can't be expanded stays in it. */
  expanded() {
    // The survey also visits a pinned copy whose originals were lost to damage; the loop below skips such copies.
    this.#problem = undefined;
    /** @type {any[]} */ const history = [];
    const expandedLists = new Set();
    const openLists = new Set();
    const stack = [levelOf(this.#messages, undefined)];
    for (let level = stack.at(-1); level !== undefined; level = stack.at(-1)) {
      const index = level.nextIndex++;
      if (index >= level.messages.length) {
        openLists.delete(level.messages);
        stack.pop();
        continue;
      }
      const message = level.messages[index];
      if (this.expandable.has(beforeCompressionOf(message)?.pinnedBy)) continue;
      const originals = this.#originalsOf(level, index);
      if (originals === undefined || 'missing' in originals) {
        const problem = ': its original messages lie in an archive; expected options.archive, got none';
        if (originals !== undefined) this.#note('ERR_ARCHIVE_NEEDED', originals.missing.root, problem);
        // A proxy is not one of our copies, so no compression changed it.
        history.push(safely(() => restored(message)) ?? message);
      } else if (openLists.has(originals.messages)) {
        this.#note('ERR_DAMAGED_HISTORY', originals.root, ': expected other messages, got a record that holds itself');
      } else if (!expandedLists.has(originals.messages)) {
        expandedLists.add(originals.messages);
        openLists.add(originals.messages);
        stack.push(originals);
      }
    }
    return history;
  }

  /** The messages that a message replaces. @param {Level} level @param {number} index @returns {Level | { missing: Reference } | undefined} */
  #originalsOf(level, index) {
    const record = compressionOf(level.messages[index]);
    if (record === undefined) return undefined;
    const root = level.root ?? index;
    try {
      const found = findOriginals(record, level, (batch) => {
        const key = keyOf(batch);
        return this.fetched.has(key) ? { messages: this.fetched.get(key) } : undefined;
      });
      if ('missing' in found) return { missing: { ...found.missing, root, recordId: record.id } };
      if ('messages' in found) return { ...found, nextIndex: 0, root };
      this.#note('ERR_DAMAGED_HISTORY', root, `.originalMessages: ${found.damage}`);
    } catch {
      this.#note('ERR_DAMAGED_HISTORY', root, ": expected a record, got one that can't be read");
    }
    return undefined;
  }

  /** @param {Code} code @param {number | undefined} root @param {string} problem */
  #note(code, root, problem) {
    this.#problem ??= { code, reason: `${pathOf(root)}${problem}` };
  }
}

/** @param {readonly any[]} messages @param {number | undefined} root @returns {Level} */
const levelOf = (messages, root) => ({ messages, ...NO_NEIGHBOURS, nextIndex: 0, root });
/** The place in the application's array, as errors name it. @param {number | undefined} root */
const pathOf = (root) => `messages[${root}].compression`;
/** @param {Batch} batch */ const keyOf = ({ sessionId, id }) => JSON.stringify([sessionId, id]);

module.exports = { DamagedHistoryError, expandHistory };
