// @ts-check
'use strict';

const { jsonText } = require('../plain-data.js');
const { ownFieldsOf, isUser } = require('../messages/message-fields.js');

/**
 * A compression adds only plain JSON to the message array, because applications save the array as it is.
 *
 * A summary or notice has `compression` with the messages it replaces, and in `earlier` those of the compressions among them (see
 * `flat-originals.js`). A changed message has `beforeCompression` with the original field values; a copy next to a summary also has
 * `pinnedBy` there, and `carried` if the next compression removes it.
 *
 * A provider's response is stored with any fields that it had, so these fields alone prove nothing. A record is valid on a user
 * message, which a response is not; a copy is valid next to the record that it names, because no model ever sees that name.
 *
 * @typedef {{
 *   id: string, level: number, kind: 'summary' | 'truncation', beforeCount: number, afterCount: number,
 *   tokensBefore: number, tokensAfter: number, windowTokens?: number, usageBefore?: number, usageAfter?: number, model?: string | null, durationMs: number, digest?: unknown,
 *   droppedCount?: number, droppedTokens?: number, firstRequest?: string, messageCount: number, originalMessages?: any[],
 *   earlier?: any[][], originalsBack?: number, archive?: { sessionId: string, id: string },
 * }} CompressionRecord
 * @typedef {{ pinnedBy?: string, carried?: boolean, fields?: Record<string, unknown> }} BeforeCompression
 */

/** Above any count of messages, tokens or levels. */
const MAX_COUNT = 2 ** 31;

/** A copy of a message's record; each field is read once. @param {any} message @returns {CompressionRecord | undefined} */
function compressionOf(message) {
  try {
    const own = ownFieldsOf(message);
    if (own?.isCompressed !== true || !isUser(message)) return undefined;
    const record = own.compression;
    return record === null || typeof record !== 'object' ? undefined : { ...record };
  } catch {
    return undefined;
  }
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

/** True for a message that a compression added: a summary, a notice, or a copy next to one. @param {any} message @param {ReadonlySet<unknown>} ids of records around it */
function isFromCompression(message, ids) {
  return compressionOf(message) !== undefined || ids.has(beforeCompressionOf(message)?.pinnedBy);
}

/** When the message was compressed; -Infinity if unknown. @param {any} message */
function compressedAt(message) {
  try {
    const at = ownFieldsOf(message).compressedAt;
    return Number.isFinite(at) ? at : Number.NEGATIVE_INFINITY;
  } catch {
    return Number.NEGATIVE_INFINITY;
  }
}

/** A record's digest as JSON; undefined if it has none. @param {CompressionRecord | undefined} record @returns {string | undefined} */
function digestOf(record) {
  try {
    return jsonText(record?.digest);
  } catch {
    // A cycle, a bigint or too many values: not written by us.
    return undefined;
  }
}

/**
 * A count in a record, or the default for an invalid value. Session files are edited by applications, users and attackers; an invalid count must
 * not prevent compression.
 * @param {Record<string, any> | undefined} record @param {string} field @param {number} byDefault
 */
function countIn(record, field, byDefault) {
  const value = record?.[field];
  return isCount(value) ? value : byDefault;
}

/** @param {unknown} value @returns {value is number} */
function isCount(value) {
  return typeof value === 'number' && value >= 0 && value <= MAX_COUNT;
}

/** @param {any} message @returns {BeforeCompression | undefined} */
function beforeCompressionOf(message) {
  try {
    const before = ownFieldsOf(message)?.beforeCompression;
    return before !== null && typeof before === 'object' ? before : undefined;
  } catch {
    return undefined;
  }
}

/** @param {any} message @param {ReadonlySet<unknown>} ids of records around it */
function isPinnedCopy(message, ids) {
  const before = beforeCompressionOf(message);
  return ids.has(before?.pinnedBy) && before?.carried !== true;
}

/** @param {readonly any[]} messages @returns {import('../../binding.js').MessageRecord[]} */
function recordsIn(messages) {
  /** @type {import('../../binding.js').MessageRecord[]} */ const records = [];
  for (let index = 0; index < messages.length; index++) {
    const record = compressionOf(messages[index]);
    if (record === undefined) continue;
    const { firstRequest } = record;
    records.push({
      index,
      firstRequest: typeof firstRequest === 'string' ? firstRequest : undefined,
      digest: digestOf(record),
      droppedCount: countIn(record, 'droppedCount', 1),
      droppedTokens: countIn(record, 'droppedTokens', 0),
    });
  }
  return records;
}

module.exports = {
  beforeCompressionOf,
  compressedAt,
  compressionOf,
  countIn,
  hasRecord,
  isCount,
  isFromCompression,
  isPinnedCopy,
  recordIdsIn,
  recordsIn,
};
