// @ts-check
'use strict';

/**
 * What a compression leaves in the message array, all of it plain JSON: hosts save the array as it is.
 *
 * A summary or notice has `compression` with the messages it stands for, and in `earlier` those of the compressions
 * among them (see `levels.js`). A message that stays but had to change has
 * `beforeCompression` with the fields as they were; one that is repeated beside a summary has
 * `pinnedBy` in it, and `carried` when it need not outlive the next one.
 *
 * @typedef {{
 *   id: string, level: number, kind: 'summary' | 'truncation', beforeCount: number, afterCount: number,
 *   tokensBefore: number, tokensAfter: number, model?: string | null, durationMs: number, digest?: unknown,
 *   droppedCount?: number, droppedTokens?: number, firstRequest?: string, messageCount: number, originalMessages?: any[],
 *   earlier?: any[][], originalsBack?: number, archive?: { sessionId: string, id: string },
 * }} CompressionRecord
 * @typedef {{ pinnedBy?: string, carried?: boolean, fields?: Record<string, unknown> }} BeforeCompression
 */

/** More is no count of messages, tokens or levels. */
const MOST = 2 ** 31;

/** What marks our own messages and copies; a provider never sees them. */
const OWN_FIELDS = ['isCompressed', 'compressedAt', 'compression', 'beforeCompression'];

/**
 * @param {any} message
 * @returns {CompressionRecord | undefined}
 */
function compressionOf(message) {
  try {
    const record = message?.compression;
    if (message?.isCompressed !== true || record === null || typeof record !== 'object') return undefined;
    return record;
  } catch {
    return undefined;
  }
}

/**
 * A figure of a record. Records come back from session files, which hosts, users and attackers edit: what is no count
 * is as good as missing, and must not keep the conversation from being compressed.
 * @param {Record<string, any> | undefined} record
 * @param {string} field
 * @param {number} byDefault
 */
function countIn(record, field, byDefault) {
  const value = record?.[field];
  return typeof value === 'number' && value >= 0 && value <= MOST ? value : byDefault;
}

/**
 * @param {any} message
 * @returns {BeforeCompression | undefined}
 */
function beforeOf(message) {
  try {
    const before = message?.beforeCompression;
    return before !== null && typeof before === 'object' ? before : undefined;
  } catch {
    return undefined;
  }
}

/** @param {any} message */
function isPinnedCopy(message) {
  const before = beforeOf(message);
  return typeof before?.pinnedBy === 'string' && before.carried !== true;
}

/** @param {unknown} digest as a session file had it @returns {string | undefined} */
function digestText(digest) {
  try {
    return JSON.stringify(digest);
  } catch {
    // A cycle or a bigint: not what we wrote.
    return undefined;
  }
}

module.exports = { OWN_FIELDS, beforeOf, compressionOf, countIn, digestText, isPinnedCopy };
