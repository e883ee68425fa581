// @ts-check
'use strict';

/** Measures and wraps text in cells, the columns of a terminal: a Chinese character takes two. */

/** Created on first use, because creation is slow. @type {Intl.Segmenter | undefined} */ let segmenter;
const TWO_CELLS =
  /\p{Emoji_Presentation}|\uFE0F|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\p{Script=Yi}]|[\u3000-\u303E\u30FB\u30FC\uFE30-\uFE6F\uFF01-\uFF60\uFFE0-\uFFE6]/u;
const NO_CELLS = /^[\p{Mn}\p{Me}\p{Cf}]+$/u;
/** Texts in which each code unit is a grapheme: Latin, Greek, Cyrillic, punctuation and lines of one cell; Chinese, Japanese and Korean of two. */
const SIMPLE =
  /^[ -~\u00A1-\u00AC\u00AE-\u02E9\u0370-\u0482\u048A-\u052F\u2010-\u2027\u2030-\u205E\u2190-\u21FF\u2500-\u259F\u3000-\u3029\u3041-\u3096\u30A1-\u30FA\u4E00-\u9FFF\uAC00-\uD7A3\uFF01-\uFF60]*$/;
/** In {@link SIMPLE}, characters from this code on take two cells. */ const FIRST_WIDE = 0x3000;

/** @param {string} text @returns {string[]} what a reader sees as characters */
function graphemesOf(text) {
  if (SIMPLE.test(text)) return [...text];
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

/** A Chinese character or an emoji takes two cells. @param {string} grapheme @returns {number} */
function graphemeWidth(grapheme) {
  if (grapheme.length === 1 && SIMPLE.test(grapheme)) return simpleWidth(grapheme);
  if (NO_CELLS.test(grapheme)) return 0;
  return TWO_CELLS.test(grapheme) ? 2 : 1;
}

/** @param {string} character one of {@link SIMPLE} */
const simpleWidth = (character) => (character.charCodeAt(0) < FIRST_WIDE ? 1 : 2);

/** @param {string} text without control characters @returns {number} cells */
function displayWidth(text) {
  let width = 0;
  if (SIMPLE.test(text)) for (const character of text) width += simpleWidth(character);
  else for (const grapheme of graphemesOf(text)) width += graphemeWidth(grapheme);
  return width;
}

/** Breaks between words if possible, and removes white space there. @param {string} line without control characters @param {number} width cells, at least 2 */
function wrapLine(line, width) {
  if (line.length * 2 <= width || displayWidth(line) <= width) return [line];
  const isSimple = SIMPLE.test(line);
  const graphemes = isSimple ? line : graphemesOf(line);
  const widthOf = isSimple ? simpleWidth : graphemeWidth;
  /** @type {string[]} */ const lines = [];
  for (let start = 0; start < graphemes.length; ) {
    const end = lineEnd(graphemes, start, width, widthOf);
    const part = graphemes.slice(start, end);
    lines.push((typeof part === 'string' ? part : part.join('')).trimEnd());
    start = end;
    while (graphemes[start] === ' ') start++;
  }
  return lines;
}

/** Where the line ends. @param {string | readonly string[]} graphemes @param {number} start @param {number} width cells @param {(grapheme: string) => number} widthOf */
function lineEnd(graphemes, start, width, widthOf) {
  let [cells, index, lastBreak] = [0, start, -1];
  for (; index < graphemes.length; index++) {
    const grapheme = /** @type {string} */ (graphemes[index]);
    const graphemeCells = widthOf(grapheme);
    cells += graphemeCells;
    if (cells > width) break;
    // A line break is allowed after any Chinese character.
    if (grapheme === ' ' || graphemeCells === 2) lastBreak = index + 1;
  }
  if (index >= graphemes.length || graphemes[index] === ' ') return index;
  // Break within a word rather than leave most of the line empty.
  return lastBreak > start + width / 3 ? lastBreak : Math.max(index, start + 1);
}

module.exports = { displayWidth, graphemesOf, graphemeWidth, wrapLine };
