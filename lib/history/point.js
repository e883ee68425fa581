// @ts-check
'use strict';

const { compressedAt, compressionOf, isCount } = require('../compression/record.js');

/**
 * A point of a history where messages were compressed: the figures of its record, null if missing or invalid.
 * @typedef {{
 *   id: string | null, kind: 'summary' | 'truncation', level: number | null, atMs: number | null, model: string | null,
 *   durationMs: number | null, messagesBefore: number | null, messagesAfter: number | null, tokensBefore: number | null,
 *   tokensAfter: number | null, tokensSaved: number | null, originalCount: number | null,
 * }} Point `originalCount`: number of messages that it replaces
 */

/** Undefined if the message is no summary or notice. @param {any} message @returns {Point | undefined} */
function pointOf(message) {
  const record = compressionOf(message);
  if (record === undefined) return undefined;
  const count = (/** @type {unknown} */ value) => (isCount(value) ? value : null);
  const atMs = compressedAt(message);
  const [tokensBefore, tokensAfter] = [count(record.tokensBefore), count(record.tokensAfter)];
  return {
    id: textOf(record.id),
    kind: record.kind === 'truncation' ? 'truncation' : 'summary',
    level: count(record.level),
    atMs: Number.isFinite(atMs) ? atMs : null,
    model: textOf(record.model),
    durationMs: count(record.durationMs),
    messagesBefore: count(record.beforeCount),
    messagesAfter: count(record.afterCount),
    tokensBefore,
    tokensAfter,
    tokensSaved: tokensBefore === null || tokensAfter === null ? null : tokensBefore - tokensAfter,
    originalCount: count(record.messageCount) ?? count(record.originalMessages?.length),
  };
}

/** @param {unknown} value */
function textOf(value) {
  return typeof value === 'string' && value !== '' ? value : null;
}

module.exports = { pointOf };
