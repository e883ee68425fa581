// @ts-check
'use strict';

/** `truncateOutput` and `trimEmptyLines`: checks the arguments; the addon edits the text. */

const native = require('./native.js');
const { once } = require('./once.js');
const { checkOptions, choicesOf, optional, readChoice, readCount, readText, readTexts } = require('./arguments.js');
const { wrongType } = require('./errors.js');
const { OPTIONS } = require('./option-names.js');
const { isObject } = require('./plain-data.js');

const limitVariable = once(() => native.outputLimitVariable());
const outputPieceUnits = once(() => native.outputPieceUnits());

/** @param {string} content @returns {string} */
function trimEmptyLines(content) {
  readText('content', content);
  return native.trimEmptyLines(content) ?? content;
}

/** Reads `process.env` at each call: worker threads have their own. @returns {number} */
const getMaxOutputLimit = () => native.outputLimit(process.env[limitVariable()]);

/** @param {string | readonly string[]} content @param {number | { limit?: number, keep?: string } | null} [limitOrOptions] @returns {string} */
function truncateOutput(content, limitOrOptions) {
  const isText = typeof content === 'string';
  if (!isText && !Array.isArray(content)) throw wrongType('content', 'a string or an array of strings', content);
  const parts = isText ? [content] : readTexts('content', content);
  const { limit, keep } = readLimitAndKeep(limitOrOptions);
  const { pieces, units } = piecesOf(parts);
  const truncated =
    keep === undefined
      ? native.truncateOutput(pieces, units, limit)
      : native.truncateOutputKeeping(pieces, units, limit, keep);
  return truncated ?? parts.join('');
}

/**
 * Splits the text into pieces without copying: a V8 slice references its parent, so only pieces that join two parts are copied. The addon reads one
 * piece at a time, which avoids a copy of a huge output.
 * @param {readonly string[]} parts @returns {{ pieces: string[], units: number }} `units`: UTF-16 units of the whole text
 */
function piecesOf(parts) {
  const pieceUnits = outputPieceUnits();
  /** @type {string[]} */ const pieces = [];
  let units = 0;
  let piece = '';
  for (const part of parts) {
    units += part.length;
    const missingUnits = pieceUnits - piece.length;
    piece += part.slice(0, missingUnits);
    for (let start = missingUnits; piece.length === pieceUnits; start += pieceUnits) {
      pieces.push(piece);
      piece = part.slice(start, start + pieceUnits);
    }
  }
  if (piece !== '') pieces.push(piece);
  return { pieces, units };
}

/** @param {unknown} limitOrOptions @returns {{ limit: number, keep?: string | undefined }} */
function readLimitAndKeep(limitOrOptions) {
  if (!isObject(limitOrOptions)) return { limit: optional(readCount, 'limit', limitOrOptions) ?? getMaxOutputLimit() };
  const { limit, keep } = checkOptions(limitOrOptions, OPTIONS.truncateOutput) ?? {};
  return {
    limit: optional(readCount, 'options.limit', limit) ?? getMaxOutputLimit(),
    keep: optional(readChoice, 'options.keep', keep, choicesOf('keepOutput')),
  };
}

module.exports = { getMaxOutputLimit, trimEmptyLines, truncateOutput };
