// @ts-check
'use strict';

const { formatCount, formatDuration, formatShare, formatTime } = require('./format.js');
const { TEXTS } = require('./texts.js');

/** Writes what a compression did, as a title and figures. */

/** Shorter times are not shown, because no model summarises faster. */
const MIN_SHOWN_MS = 100;

/**
 * Title, time and figures of a compression.
 * @param {import('./point.js').Point} point @param {import('./texts.js').Language} language
 * @returns {{ title: string, time: { text: string, datetime: string } | undefined, figures: string[] }}
 */
function headlineOf(point, language) {
  const texts = TEXTS[language];
  const { kind, level, atMs, model, durationMs, messagesBefore, messagesAfter, tokensBefore, tokensAfter } = point;
  const count = (/** @type {number} */ value) => formatCount(value, language);
  const isCut = kind === 'truncation';
  const figures = [
    messagesBefore !== null && messagesAfter !== null && texts.messages(count(messagesBefore), count(messagesAfter)),
    tokensBefore !== null && tokensAfter !== null && texts.tokens(count(tokensBefore), count(tokensAfter)),
    savedIn(point, language),
    !isCut && model,
    !isCut && durationMs !== null && durationMs >= MIN_SHOWN_MS && texts.took(formatDuration(durationMs, language)),
  ];
  return {
    title: level === null || isCut ? texts[kind] : `${texts[kind]} · ${texts.level(count(level))}`,
    time: atMs === null ? undefined : formatTime(atMs, language),
    figures: figures.filter((figure) => typeof figure === 'string'),
  };
}

/** The tokens saved, as text. @param {import('./point.js').Point} point @param {import('./texts.js').Language} language */
function savedIn({ tokensSaved, tokensBefore }, language) {
  if (tokensSaved === null || tokensBefore === null || tokensSaved <= 0) return undefined;
  return TEXTS[language].saved(formatCount(tokensSaved, language), formatShare(tokensSaved / tokensBefore, language));
}

module.exports = { headlineOf };
