// @ts-check
'use strict';

const { jsonText } = require('../json-text.js');
const { ownFieldsOf } = require('../messages/own-fields.js');
const { isUsers } = require('../messages/speaker.js');

/**
 * What a compression leaves in the message array is plain JSON, since hosts save the array as it is.
 *
 * A summary or notice has `compression` with the messages it stands for, and in `earlier` those of the compressions among them
 * (see `levels.js`). A changed message has `beforeCompression` with its fields as they were; a copy beside a summary has
 * `pinnedBy` in it, and `carried` when it goes with the next one.
 *
 * A provider's answer is stored with whatever fields it had, so such fields alone prove nothing. A record counts on a message of the
 * user's, which an answer is not; a copy counts beside the record that it names, since no model is ever told that name.
 *
 * @typedef {{
 *   id: string, level: number, kind: 'summary' | 'truncation', beforeCount: number, afterCount: number,
 *   tokensBefore: number, tokensAfter: number, windowTokens?: number, usageBefore?: number, usageAfter?: number, model?: string | null, durationMs: number, digest?: unknown,
 *   droppedCount?: number, droppedTokens?: number, firstRequest?: string, messageCount: number, originalMessages?: any[],
 *   earlier?: any[][], originalsBack?: number, archive?: { sessionId: string, id: string },
 * }} CompressionRecord
 * @typedef {{ pinnedBy?: string, carried?: boolean, fields?: Record<string, unknown> }} BeforeCompression
 */

/** No count of messages, tokens or levels is larger. */
const MOST = 2 ** 31;

/** A copy of a message's record, each field read once. @param {any} message @returns {CompressionRecord | undefined} */
function compressionOf(message) {
  try {
    const own = ownFieldsOf(message);
    if (own?.isCompressed !== true || !isUsers(message)) return undefined;
    const record = own.compression;
    return record === null || typeof record !== 'object' ? undefined : { ...record };
  } catch {
    return undefined;
  }
}

/** Whether one of them stands for others. @param {readonly any[]} messages */
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

/** Whether it is a summary, a notice, or a copy beside one. @param {any} message @param {ReadonlySet<unknown>} ids of records around it */
function isMade(message, ids) {
  return compressionOf(message) !== undefined || ids.has(beforeOf(message)?.pinnedBy);
}

/** -Infinity where a message doesn't say. @param {any} message */
function compressedAt(message) {
  try {
    const at = ownFieldsOf(message).compressedAt;
    return Number.isFinite(at) ? at : Number.NEGATIVE_INFINITY;
  } catch {
    return Number.NEGATIVE_INFINITY;
  }
}

/** A record's digest as JSON; undefined where it has none. @param {CompressionRecord | undefined} record @returns {string | undefined} */
function digestOf(record) {
  try {
    return jsonText(record?.digest);
  } catch {
    // A cycle, a bigint or something without end: not what we wrote.
    return undefined;
  }
}

/**
 * Session files are edited by hosts, users and attackers: a value that is no count must not keep the conversation from being compressed.
 * @param {Record<string, any> | undefined} record @param {string} field @param {number} byDefault
 */
function countIn(record, field, byDefault) {
  const value = record?.[field];
  return isCount(value) ? value : byDefault;
}

/** @param {unknown} value @returns {value is number} */
function isCount(value) {
  return typeof value === 'number' && value >= 0 && value <= MOST;
}

/** @param {any} message @returns {BeforeCompression | undefined} */
function beforeOf(message) {
  try {
    const before = ownFieldsOf(message)?.beforeCompression;
    return before !== null && typeof before === 'object' ? before : undefined;
  } catch {
    return undefined;
  }
}

/** @param {any} message @param {ReadonlySet<unknown>} ids of records around it */
function isPinnedCopy(message, ids) {
  const before = beforeOf(message);
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
  beforeOf,
  compressedAt,
  compressionOf,
  countIn,
  hasRecord,
  isCount,
  isMade,
  isPinnedCopy,
  recordIdsIn,
  recordsIn,
};
