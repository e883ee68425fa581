// @ts-check
'use strict';

/** Restores the original messages of a compressed history, from its records or from an archive. */

const { copyOfList } = require('../lists.js');
const { readStore } = require('../archive/store.js');
const { readId } = require('../archive/stored-form.js');
const { checkLength, checkMessages, checkOptions, readInteger } = require('../arguments.js');
const { OPTIONS } = require('../option-names.js');
const { forcedFrom } = require('../messages/choice.js');
const { DamagedHistoryError, Expansion, keyOf } = require('./expansion.js');

/**
 * @typedef {import('./expansion.js').Reference} Reference
 * @typedef {import('../entry/types/compression.js').OriginalsSource} Archive
 */

/** Far above any session; bounds the memory that a crafted record can use. */
const DEFAULT_MAX_MESSAGES = 1_000_000;
const LARGEST_MAX_MESSAGES = 2 ** 32 - 1;
/** Maximum number of batches (the originals of one summary or notice) that are fetched in one call. */
const MAX_BATCHES = 32;

/** @param {readonly any[]} messages @param {unknown} [options] @returns {any[] | Promise<any[]>} */
function expandHistory(messages, options) {
  checkMessages(messages);
  const checked = checkOptions(options, OPTIONS.expandHistory) ?? {};
  const { archive, sessionId, maxMessages } = checked;
  // Records are found in every dialect. `dialect` is only validated, because applications pass the same options to all functions.
  forcedFrom(checked);
  const most = readInteger('options.maxMessages', maxMessages ?? DEFAULT_MAX_MESSAGES, 0, LARGEST_MAX_MESSAGES);
  const expansion = new Expansion(most);
  if (archive === undefined || archive === null) {
    expansion.survey(messages);
    return expanded(messages, expansion);
  }
  const source = readStore('options.archive', archive, ['get']);
  return expandFromArchive(messages, source, readSessions(sessionId), expansion);
}

/** @param {unknown} sessionId one name, or several @returns {Set<string>} */
function readSessions(sessionId) {
  const names = Array.isArray(sessionId) ? sessionId : [sessionId];
  checkLength('options.sessionId', names);
  return new Set(names.map((name) => readId('options.sessionId', name)));
}

/**
 * Fetches archived originals level by level, then expands as if they were in the array.
 * @param {readonly any[]} messages @param {Archive} archive
 * @param {Set<string>} sessions that may be read: a record could name anybody's
 * @param {InstanceType<typeof Expansion>} expansion
 */
async function expandFromArchive(messages, archive, sessions, expansion) {
  let missing = expansion.survey(messages);
  while (missing.length > 0) {
    /** @type {Reference[]} */ const nextLevel = [];
    for (let start = 0; start < missing.length && !expansion.isTooLong; start += MAX_BATCHES) {
      const references = missing.slice(start, start + MAX_BATCHES);
      const nested = await addOriginals(references, messages, archive, sessions, expansion);
      for (const reference of nested) nextLevel.push(reference);
    }
    missing = expansion.isTooLong ? [] : nextLevel;
  }
  return expanded(messages, expansion);
}

/**
 * Fetches the originals of some references, and adds them to the expansion.
 * @param {readonly Reference[]} references @param {readonly any[]} messages the history @param {Archive} archive
 * @param {Set<string>} sessions @param {InstanceType<typeof Expansion>} expansion
 * @returns {Promise<Reference[]>} the references in these originals, which must be fetched next
 */
async function addOriginals(references, messages, archive, sessions, expansion) {
  /** @type {Reference[]} */ const nested = [];
  const unfetched = references.filter((reference) => !expansion.has(reference));
  const prefetched = await prefetch(archive, sessions, unfetched);
  const expandedSoFar = () => expansion.expand(messages);
  for (const reference of references) {
    if (!expansion.has(reference)) {
      const fetched =
        prefetched.get(keyOf(reference)) ?? (await fetchFrom(archive, sessions, reference, expandedSoFar));
      expansion.add(reference, fetched);
      if (Array.isArray(fetched)) for (const one of expansion.survey(fetched, reference.root)) nested.push(one);
      if (expansion.isTooLong) break;
    }
    expansion.accept(reference);
  }
  return nested;
}

/**
 * Fetches several batches of a session in one call, if the archive supports it. The others are fetched one by one.
 * @param {Archive} archive @param {Set<string>} sessions @param {readonly Reference[]} references
 */
async function prefetch(archive, sessions, references) {
  /** @type {Map<string, unknown>} */ const found = new Map();
  if (typeof archive.getMany !== 'function') return found;
  for (const sessionId of sessions) {
    const ids = new Set(references.filter((one) => one.sessionId === sessionId).map(({ id }) => id));
    if (ids.size < 2) continue;
    try {
      for (const { id, messages } of await archive.getMany(sessionId, [...ids]))
        found.set(keyOf({ sessionId, id }), messages);
    } catch {
      // They are fetched one by one below, so that the error names the batch.
    }
  }
  return found;
}

/** @param {Archive} archive @param {Set<string>} sessions @param {Reference} reference @param {() => any[]} expandedSoFar the history without it */
async function fetchFrom(archive, sessions, { sessionId, id, root }, expandedSoFar) {
  const path = `messages[${root}].compression.archive`;
  if (!sessions.has(sessionId)) {
    const reason = `${path}: expected the session of options.sessionId, got another`;
    throw new DamagedHistoryError('ERR_FOREIGN_SESSION', reason, expandedSoFar());
  }
  try {
    return await archive.get(sessionId, id);
  } catch (error) {
    const reason = `${path}: expected a batch that the archive holds, got an error`;
    throw new DamagedHistoryError('ERR_DAMAGED_HISTORY', reason, expandedSoFar(), error);
  }
}

/** The restored history. @param {readonly any[]} messages @param {InstanceType<typeof Expansion>} expansion @throws {DamagedHistoryError} */
function expanded(messages, expansion) {
  const history = expansion.isTooLong ? copyOfList(messages, 0, expansion.maxMessages) : expansion.expand(messages);
  const { problem } = expansion;
  if (problem !== undefined) throw new DamagedHistoryError(problem.code, problem.reason, history);
  return history;
}

module.exports = { expandHistory };
