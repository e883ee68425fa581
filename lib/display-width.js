// @ts-check
'use strict';

/** Measures and wraps text for a terminal, in *cells*: a Latin letter takes one, a Chinese character or an emoji two. */

/** Created on first use, because creation is slow. @type {Intl.Segmenter | undefined} */
let segmenter;
/** Matches a grapheme of two cells. */
const WIDE =
  /\p{Emoji_Presentation}|\uFE0F|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\p{Script=Yi}]|[\u3000-\u303E\u30FB\u30FC\uFE30-\uFE6F\uFF01-\uFF60\uFFE0-\uFFE6]/u;
const INVISIBLE = /^[\p{Mn}\p{Me}\p{Cf}]+$/u;
/**
 * Text whose code units all are graphemes, so that it needs no segmenter: Latin, Greek, Cyrillic, punctuation, arrows and lines of one cell; Chinese,
 * Japanese and Korean of two.
 */
const SIMPLE =
  /^[ -~\u00A1-\u00AC\u00AE-\u02E9\u0370-\u0482\u048A-\u052F\u2010-\u2027\u2030-\u205E\u2190-\u21FF\u2500-\u259F\u3000-\u3029\u3041-\u3096\u30A1-\u30FA\u4E00-\u9FFF\uAC00-\uD7A3\uFF01-\uFF60]*$/;
/** In `SIMPLE` text, a code unit from here on takes two cells. */
const FIRST_WIDE = 0x3000;

/** @param {string} text @returns {string[]} what a reader sees as characters */
function graphemesOf(text) {
  if (SIMPLE.test(text)) return [...text];
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

/** @param {string} grapheme @returns {number} cells */
function graphemeWidth(grapheme) {
  if (grapheme.length === 1 && SIMPLE.test(grapheme)) return simpleWidth(grapheme);
  if (INVISIBLE.test(grapheme)) return 0;
  return WIDE.test(grapheme) ? 2 : 1;
}

/** @param {string} character one of `SIMPLE` @returns {number} cells */
function simpleWidth(character) {
  return character.charCodeAt(0) < FIRST_WIDE ? 1 : 2;
}

/** @param {string} text without control characters @returns {number} cells */
function displayWidth(text) {
  let width = 0;
  if (SIMPLE.test(text)) for (let at = 0; at < text.length; at++) width += text.charCodeAt(at) < FIRST_WIDE ? 1 : 2;
  else for (const grapheme of graphemesOf(text)) width += graphemeWidth(grapheme);
  return width;
}

/**
 * Breaks between words if there are any, else between characters; white space at a break is removed.
 * @param {string} line without control characters @param {number} width cells, at least 2
 * @returns {string[]} at least one
 */
function wrapped(line, width) {
  if (line.length * 2 <= width || displayWidth(line) <= width) return [line];
  const isSimple = SIMPLE.test(line);
  const graphemes = isSimple ? line : graphemesOf(line);
  const widthOf = isSimple ? simpleWidth : graphemeWidth;
  /** @type {string[]} */ const lines = [];
  for (let at = 0; at < graphemes.length; ) {
    const end = lineEnd(graphemes, at, width, widthOf);
    const part = graphemes.slice(at, end);
    lines.push((typeof part === 'string' ? part : part.join('')).trimEnd());
    at = end;
    while (lines.length > 0 && graphemes[at] === ' ') at++;
  }
  return lines;
}

/**
 * Where the line that begins at `start` ends.
 * @param {string | readonly string[]} graphemes @param {number} start @param {number} width @param {(grapheme: string) => number} widthOf
 */
function lineEnd(graphemes, start, width, widthOf) {
  let [usedCells, end, lastBreak] = [0, start, -1];
  for (; end < graphemes.length; end++) {
    const grapheme = /** @type {string} */ (graphemes[end]);
    const cells = widthOf(grapheme);
    usedCells += cells;
    if (usedCells > width) break;
    // A line break is allowed after any Chinese character.
    if (grapheme === ' ' || cells === 2) lastBreak = end + 1;
  }
  if (end >= graphemes.length || graphemes[end] === ' ') return end;
  // Break within a word rather than leave most of the line empty.
  return lastBreak > start + width / 3 ? lastBreak : Math.max(end, start + 1);
}

module.exports = { displayWidth, graphemesOf, graphemeWidth, wrapped };
