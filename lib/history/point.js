// @ts-check
'use strict';

const { compressedAt, compressionOf, isCount } = require('../compression/record.js');
const { formatCount, formatDuration, formatShare, formatTime } = require('./format.js');
const { TEXTS } = require('./texts.js');

/**
 * A point of a history where messages were compressed: the figures of its record (null if missing or invalid), and its headline.
 * @typedef {{
 *   id: string | null, kind: 'summary' | 'truncation', level: number | null, atMs: number | null, model: string | null,
 *   durationMs: number | null, messagesBefore: number | null, messagesAfter: number | null, tokensBefore: number | null,
 *   tokensAfter: number | null, tokensSaved: number | null, originalCount: number | null,
 * }} Point `originalCount`: number of messages that it replaces; an earlier summary counts as one
 */

/** Shorter times are not shown, because no model summarises faster. */ const MIN_SHOWN_MS = 100;

/** The figures of a summary or notice; undefined for another message. @param {any} message @returns {Point | undefined} */
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

/** @param {unknown} value */ const textOf = (value) => (typeof value === 'string' && value !== '' ? value : null);

/** What a compression did, as texts: title, time and figures. @param {Point} point @param {import('./texts.js').Language} language */
function headlineOf(point, language) {
  const texts = TEXTS[language];
  const { kind, level, atMs, model, durationMs, messagesBefore, messagesAfter, tokensBefore, tokensAfter } = point;
  const tokensSaved = point.tokensSaved ?? 0;
  const count = (/** @type {number} */ value) => formatCount(value, language);
  const share = () => formatShare(tokensSaved / (tokensBefore ?? 0), language);
  const isCut = kind === 'truncation';
  const figures = [
    messagesBefore !== null && messagesAfter !== null && texts.messages(count(messagesBefore), count(messagesAfter)),
    tokensBefore !== null && tokensAfter !== null && texts.tokens(count(tokensBefore), count(tokensAfter)),
    tokensSaved > 0 && texts.saved(count(tokensSaved), share()),
    !isCut && model,
    !isCut && durationMs !== null && durationMs >= MIN_SHOWN_MS && texts.took(formatDuration(durationMs, language)),
  ];
  return {
    title: level === null || isCut ? texts[kind] : `${texts[kind]} · ${texts.level(count(level))}`,
    time: atMs === null ? undefined : formatTime(atMs, language),
    figures: figures.filter((figure) => typeof figure === 'string'),
  };
}

module.exports = { headlineOf, pointOf };
