// @ts-check
'use strict';

const { readId, readInteger } = require('../archive/stored-form.js');
const { checkMessages, checkOptions } = require('../arguments.js');
const { wrongType } = require('../errors.js');
const { DamagedHistoryError } = require('./damaged-history.js');
const { Expansion } = require('./expansion.js');

/** @typedef {import('./expansion.js').Reference} Reference */

/** Far above any session; a crafted record must not fill the memory. */
const MAX_MESSAGES = 1_000_000;
const MOST_MAX_MESSAGES = 2 ** 32 - 1;

/**
 * @param {readonly any[]} messages
 * @param {unknown} [options]
 * @returns {any[] | Promise<any[]>}
 */
function expandHistory(messages, options) {
  checkMessages(messages);
  const { archive, sessionId, maxMessages } = checkOptions(options) ?? {};
  const most = readInteger('options.maxMessages', maxMessages ?? MAX_MESSAGES, 0, MOST_MAX_MESSAGES);
  const expansion = new Expansion(most);
  if (archive === undefined || archive === null) {
    expansion.survey(messages);
    return expanded(messages, expansion);
  }
  const source = /** @type {any} */ (archive);
  if (typeof source.get !== 'function') throw wrongType('options.archive', 'a SessionArchive', archive);
  return expandFromArchive(messages, source, readSessions(sessionId), expansion);
}

/** @param {unknown} sessionId one name, or several @returns {Set<string>} */
function readSessions(sessionId) {
  const names = Array.isArray(sessionId) ? sessionId : [sessionId];
  return new Set(names.map((name) => readId('options.sessionId', name)));
}

/**
 * Fetches what lies in the archive, level by level, then expands as if all of it were in the array.
 * @param {readonly any[]} messages
 * @param {{ get: (sessionId: string, id: string) => unknown }} archive
 * @param {Set<string>} sessions those that may be read: what a record names could be anybody's
 * @param {InstanceType<typeof import('./expansion.js').Expansion>} expansion
 */
async function expandFromArchive(messages, archive, sessions, expansion) {
  for (let missing = expansion.survey(messages); missing.length > 0 && !expansion.isTooLong; ) {
    /** @type {Reference[]} */
    const next = [];
    for (const reference of missing) {
      if (!expansion.has(reference)) {
        const fetched = await fetch(reference);
        expansion.add(reference, fetched);
        if (Array.isArray(fetched)) for (const found of expansion.survey(fetched, reference.root)) next.push(found);
      }
      expansion.accept(reference);
    }
    missing = next;
  }
  return expanded(messages, expansion);

  /** @param {Reference} reference */
  async function fetch({ sessionId, id, root }) {
    const place = `messages[${root}].compression.archive`;
    const fail = (/** @type {any} */ code, /** @type {string} */ reason, /** @type {unknown} */ cause) =>
      new DamagedHistoryError(code, `${place}: ${reason}`, expansion.expand(messages), cause);
    if (!sessions.has(sessionId)) {
      throw fail('ERR_FOREIGN_SESSION', 'expected the session of options.sessionId, got another', undefined);
    }
    try {
      return await archive.get(sessionId, id);
    } catch (error) {
      throw fail('ERR_DAMAGED_HISTORY', 'expected a batch that the archive holds, got an error', error);
    }
  }
}

/** @param {readonly any[]} messages @param {InstanceType<typeof import('./expansion.js').Expansion>} expansion */
function expanded(messages, expansion) {
  const history = expansion.isTooLong ? messages.slice(0, expansion.maxMessages) : expansion.expand(messages);
  const { problem } = expansion;
  if (problem !== undefined) throw new DamagedHistoryError(problem.code, problem.reason, history);
  return history;
}

module.exports = { expandHistory };
