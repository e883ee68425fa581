// @ts-check
'use strict';

const { isList } = require('../lists.js');

/**
 * Finds the messages that a record stands for: its own originals, those in a list beside it, or a batch of an archive. A message
 * of an earlier compression finds its originals in `lists`, counted back from `position`.
 *
 * @typedef {{ lists: readonly any[], position: number }} Surroundings
 * @typedef {{ sessionId: string, id: string }} Batch
 * @typedef {Surroundings & { messages: any[] }} Found
 * @typedef {{ wanted: string, came: string }} Damage
 */

/** The host's own array and an archived batch have no originals beside them. @type {Surroundings} */
const NOTHING_BESIDE = Object.freeze({ lists: Object.freeze([]), position: 0 });

/**
 * @param {import('./record.js').CompressionRecord} record @param {Surroundings} surroundings of the message that has the record
 * @param {(batch: Batch) => { messages: unknown } | undefined} fetched undefined before the archive was asked
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
