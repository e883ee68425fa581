// @ts-check
'use strict';

const { isList } = require('../lists.js');

/**
 * Finds the messages that a record replaces: its own originals, those in a neighbouring list, or an archived batch. A nested record's
 * originals are in `lists`, counted back from `position`.
 * @typedef {{ lists: readonly any[], position: number }} Surroundings
 * @typedef {{ sessionId: string, id: string }} Batch
 * @typedef {Surroundings & { messages: any[] }} Found
 * @typedef {{ wanted: string, came: string }} Damage
 */

/** For the application's own array and an archived batch, which have no neighbouring lists. @type {Surroundings} */
const NOTHING_BESIDE = Object.freeze({ lists: Object.freeze([]), position: 0 });

/**
 * @param {import('./record.js').CompressionRecord} record @param {Surroundings} surroundings lists around the message that has the record
 * @param {(batch: Batch) => { messages: unknown } | undefined} fetched undefined before the archive was queried
 * @returns {Found | { missing: Batch } | { damage: Damage }}
 */
function standsFor({ originalMessages, earlier, originalsBack, archive, messageCount }, surroundings, fetched) {
  /** @type {unknown} */
  let messages = originalMessages;
  let inner = { lists: /** @type {readonly any[]} */ (isList(earlier) ? earlier : []), position: 0 };
  inner.position = inner.lists.length;
  if (messages === undefined && typeof originalsBack === 'number' && originalsBack > 0) {
    inner = { lists: surroundings.lists, position: surroundings.position - originalsBack };
    messages = inner.lists[inner.position];
  } else if (messages === undefined && archive !== null && typeof archive === 'object') {
    const missing = { sessionId: archive.sessionId, id: archive.id };
    const batch = fetched(missing);
    if (batch === undefined) return { missing };
    messages = batch.messages;
  }
  const isWhole = typeof messageCount !== 'number' || /** @type {any} */ (messages)?.length === messageCount;
  if (isList(messages) && isWhole) return { messages, ...inner };
  const wanted = typeof messageCount === 'number' ? `an array of ${messageCount} messages` : 'an array of messages';
  const came = Array.isArray(messages) ? `${messages.length} messages` : typeof messages;
  return { damage: { wanted, came } };
}

module.exports = { NOTHING_BESIDE, standsFor };
