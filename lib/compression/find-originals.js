// @ts-check
'use strict';

const { isList } = require('../lists.js');

/**
 * The lists of originals around a message with a record (see `record.js`); `position` is the index of the message's own list.
 * @typedef {{ lists: readonly any[], position: number }} Neighbours
 * @typedef {{ sessionId: string, id: string }} Batch
 * @typedef {Neighbours & { messages: any[] }} Found
 * @typedef {{ expected: string, actual: string }} Damage
 */

/** For the application's own array, and for an archived batch. @type {Neighbours} */
const NO_NEIGHBOURS = Object.freeze({ lists: Object.freeze([]), position: 0 });

/**
 * Finds the messages that a record replaces: in the record itself, in a list around its message, or in an archived batch.
 * @param {import('./record.js').CompressionRecord} record @param {Neighbours} neighbours
 * @param {(batch: Batch) => { messages: unknown } | undefined} fetchedBatch returns undefined before the archive was queried
 * @returns {Found | { missing: Batch } | { damage: Damage }}
 */
function findOriginals(record, neighbours, fetchedBatch) {
  const { originalMessages, earlier, originalsBack, archive, messageCount } = record;
  /** @type {unknown} */ let messages = originalMessages;
  let { lists, position } = neighbours;
  if (messages === undefined && typeof originalsBack === 'number' && originalsBack > 0) {
    position -= originalsBack;
    messages = lists[position];
  } else {
    lists = isList(earlier) ? earlier : [];
    position = lists.length;
    if (messages === undefined && archive !== null && typeof archive === 'object') {
      const missing = { sessionId: archive.sessionId, id: archive.id };
      const batch = fetchedBatch(missing);
      if (batch === undefined) return { missing };
      messages = batch.messages;
    }
  }
  const isComplete = typeof messageCount !== 'number' || /** @type {any} */ (messages)?.length === messageCount;
  if (isList(messages) && isComplete) return { messages, lists, position };
  const expected = typeof messageCount === 'number' ? `an array of ${messageCount} messages` : 'an array of messages';
  const actual = Array.isArray(messages) ? `${messages.length} messages` : typeof messages;
  return { damage: { expected, actual } };
}

module.exports = { findOriginals, NO_NEIGHBOURS };
