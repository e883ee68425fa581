// @ts-check
'use strict';

const { isList } = require('../lists.js');
const { OWN_FIELDS } = require('../messages/copy.js');
const { copyWith, isUser, ownFieldsOf, valuesOf } = require('../messages/message-fields.js');
const { isObject, jsonText, safely } = require('../plain-data.js');

/**
 * What a compression writes on messages: only plain JSON, because applications save the message array as it is.
 *
 * A summary or notice has `compression` with the messages it replaces (see `record-originals.js`). A changed message has `beforeCompression` with
 * the original field values; a copy next to a summary also has `pinnedBy` there, and `carried` if the next compression removes it.
 *
 * A provider's response is stored with any fields that it had, so these fields alone prove nothing. A record is valid on a user
 * message, which a response is not; a copy is valid next to the record that it names, because no model ever sees that name.
 * @typedef {{
 *   id: string, level: number, kind: 'summary' | 'truncation', beforeCount: number, afterCount: number,
 *   tokensBefore: number, tokensAfter: number, windowTokens?: number, usageBefore?: number, usageAfter?: number,
 *   model?: string | null, durationMs: number, digest?: unknown, droppedCount?: number, droppedTokens?: number,
 *   firstRequest?: string, messageCount: number, originalMessages?: any[], earlier?: any[][], originalsBack?: number, archive?: Batch,
 * }} CompressionRecord
 * @typedef {{ pinnedBy?: string, carried?: boolean, fields?: Record<string, unknown> }} BeforeCompression
 * @typedef {{ lists: readonly any[], position: number }} Neighbours the lists of originals around a message with a record;
 *   `position`: index of the message's own list
 * @typedef {{ sessionId: string, id: string }} Batch the originals of one record in an archive
 */

/** For the application's own array, and for an archived batch. @type {Neighbours} */
const NO_NEIGHBOURS = Object.freeze({ lists: Object.freeze([]), position: 0 });

/** Above any count of messages, tokens or levels. */ const MAX_COUNT = 2 ** 31;

const isText = (/** @type {unknown} */ value) => typeof value === 'string';
/** @param {unknown} value @returns {value is number} */
const isCount = (value) => typeof value === 'number' && value >= 0 && value <= MAX_COUNT;

const COUNT_FIELDS = [
  ...['level', 'beforeCount', 'afterCount', 'tokensBefore', 'tokensAfter', 'windowTokens', 'usageBefore', 'usageAfter'],
  ...['durationMs', 'droppedCount', 'droppedTokens', 'messageCount'],
];

/** For each record field, the test of a valid value. @type {Record<string, (value: any) => boolean>} */
const FIELD_TESTS = {
  id: isText,
  kind: (value) => value === 'summary' || value === 'truncation',
  ...Object.fromEntries(COUNT_FIELDS.map((field) => [field, isCount])),
  firstRequest: isText,
  digest: isObject,
  originalMessages: isList,
  earlier: (value) => isList(value) && value.every(isList),
  originalsBack: (value) => isCount(value) && Number.isInteger(value) && value > 0,
  archive: isObject,
};

/** A copy of a message's record; each field is read once. @param {any} message @returns {CompressionRecord | undefined} */
function compressionOf(message) {
  return safely(() => {
    const own = ownFieldsOf(message);
    if (own?.isCompressed !== true || !isUser(message)) return undefined;
    const record = own.compression;
    return isObject(record) ? { ...record } : undefined;
  });
}

/** True if one of the messages replaces others. @param {readonly any[]} messages */
const hasRecord = (messages) => messages.some((message) => compressionOf(message) !== undefined);

/** @param {readonly any[]} messages @returns {Set<unknown>} */
function recordIdsIn(messages) {
  const ids = new Set();
  for (let index = 0; index < messages.length; index++) {
    const id = compressionOf(messages[index])?.id;
    if (typeof id === 'string') ids.add(id);
  }
  return ids;
}

/** True for a summary, a notice, or a copy next to one. @param {any} message @param {ReadonlySet<unknown>} ids of records around it */
const isFromCompression = (message, ids) =>
  compressionOf(message) !== undefined || ids.has(beforeCompressionOf(message)?.pinnedBy);

/** When the message was compressed; -Infinity if unknown. @param {any} message @returns {number} */
function compressedAt(message) {
  const time = safely(() => ownFieldsOf(message).compressedAt);
  return Number.isFinite(time) ? time : Number.NEGATIVE_INFINITY;
}

/** A count, or the default for an invalid one: people edit session files. @param {Record<string, any> | undefined} record @param {string} field @param {number} byDefault */
function countIn(record, field, byDefault) {
  const value = record?.[field];
  return isCount(value) ? value : byDefault;
}

/** @param {any} message @returns {BeforeCompression | undefined} */
function beforeCompressionOf(message) {
  const fields = safely(() => ownFieldsOf(message)?.beforeCompression);
  return isObject(fields) ? fields : undefined;
}

/** True for a copy that every compression repeats. @param {any} message @param {ReadonlySet<unknown>} ids of records */
function isPinnedCopy(message, ids) {
  const beforeCompression = beforeCompressionOf(message);
  return ids.has(beforeCompression?.pinnedBy) && beforeCompression?.carried !== true;
}

/** The records of all messages, as the core reads them. @param {readonly any[]} messages */
function recordsIn(messages) {
  /** @type {import('../../binding.js').MessageRecord[]} */ const records = [];
  for (let index = 0; index < messages.length; index++) {
    const record = compressionOf(messages[index]);
    if (record === undefined) continue;
    const firstRequest = isText(record.firstRequest) ? record.firstRequest : undefined;
    const droppedCount = countIn(record, 'droppedCount', 1);
    const droppedTokens = countIn(record, 'droppedTokens', 0);
    // A cycle, a bigint or too many values were not written by us.
    const digest = safely(() => jsonText(record.digest));
    records.push({ index, firstRequest, digest, droppedCount, droppedTokens });
  }
  return records;
}

/**
 * Finds the messages that a record replaces: in the record itself, in a list around its message, or in an archived batch.
 * @param {CompressionRecord} record @param {Neighbours} neighbours
 * @param {(batch: Batch) => { messages: unknown } | undefined} fetchedBatch returns undefined before the archive was queried
 * @returns {(Neighbours & { messages: any[] }) | { missing: Batch } | { damage: string }} `damage`: what was expected and found
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
    if (messages === undefined && archive !== undefined && isObject(archive)) {
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
  return { damage: `expected ${expected}, got ${actual}` };
}

/** Record fields with invalid values, which readers ignore, for a warning; `compression` for an unreadable record. @param {readonly any[]} messages */
function invalidFieldsIn(messages) {
  const invalid = new Set();
  for (let index = 0; index < messages.length; index++) {
    const message = messages[index];
    if (safely(() => ownFieldsOf(message)?.isCompressed) !== true) continue;
    const record = /** @type {Record<string, unknown> | undefined} */ (compressionOf(message));
    if (record === undefined) invalid.add('compression');
    for (const [field, test] of record === undefined ? [] : Object.entries(FIELD_TESTS)) {
      const value = record?.[field];
      // A proxy in the record may throw on access.
      if (value !== undefined && safely(() => test(value)) !== true) invalid.add(field);
    }
  }
  return [...invalid];
}

/** Fields that are never restored. A provider's response may be stored with any fields: restoring these could turn it into a user message. */
const NEVER_RESTORED = new Set(['role', 'type', ...OWN_FIELDS]);

/** A copy that remembers the original values. @param {any} message @param {Record<string, unknown>} changes by field; undefined removes it */
function withChanges(message, changes) {
  const earlier = beforeCompressionOf(message);
  const fields = Object.keys(changes);
  const remembered = earlier?.fields ?? {};
  const newlyChanged = fields.filter((field) => !Object.hasOwn(remembered, field));
  const originalValues = valuesOf(message, newlyChanged);
  const removedFields = fields.filter((field) => changes[field] === undefined);
  const newFields = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  const beforeCompression = { ...earlier, fields: { ...remembered, ...originalValues } };
  return copyWith(message, removedFields, { ...newFields, beforeCompression });
}

/** A copy next to the summary or notice `id`. @param {any} message @param {string} id @param {boolean} isCarried the next compression removes it */
function repeatedCopy(message, id, isCarried) {
  const { pinnedBy, carried, ...remembered } = beforeCompressionOf(message) ?? {};
  const beforeCompression = { ...remembered, pinnedBy: id, ...(isCarried && { carried: true }) };
  return copyWith(message, [], { beforeCompression });
}

/** The message without the changes of any compression. @param {any} message */
function restored(message) {
  const beforeCompression = beforeCompressionOf(message);
  if (beforeCompression === undefined) return message;
  const { fields } = beforeCompression;
  const entries = Object.entries((isObject(fields) && fields) || {});
  const originals = entries.filter(([field]) => !NEVER_RESTORED.has(field));
  return copyWith(message, ['beforeCompression'], Object.fromEntries(originals));
}

module.exports = {
  beforeCompressionOf,
  compressedAt,
  compressionOf,
  countIn,
  findOriginals,
  hasRecord,
  invalidFieldsIn,
  isCount,
  isFromCompression,
  isPinnedCopy,
  NO_NEIGHBOURS,
  recordIdsIn,
  recordsIn,
  repeatedCopy,
  restored,
  withChanges,
};
