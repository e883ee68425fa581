// @ts-check
'use strict';

const native = require('./native.js');
const { once } = require('./once.js');
const { checkOptions, choicesOf, optional, readChoice, readCount, readText, readTexts } = require('./arguments.js');
const { wrongType } = require('./errors.js');
const { OPTIONS } = require('./option-names.js');

const limitVariable = once(() => native.outputLimitVariable());
const outputPieceUnits = once(() => native.outputPieceUnits());

/** @param {string} content @returns {string} */
function trimEmptyLines(content) {
  readText('content', content);
  return native.trimEmptyLines(content) ?? content;
}

/** Reads `process.env` at each call: worker threads have their own. @returns {number} */
function getMaxOutputLimit() {
  return native.outputLimit(process.env[limitVariable()]);
}

/** @param {string | readonly string[]} content @param {number | { limit?: number, keep?: string } | null} [limitOrOptions] @returns {string} */
function truncateOutput(content, limitOrOptions) {
  const parts = typeof content === 'string' ? [content] : readParts(content);
  const { limit, keep } = readOptions(limitOrOptions);
  const { pieces, units } = piecesOf(parts);
  const cut =
    keep === undefined
      ? native.truncateOutput(pieces, units, limit)
      : native.truncateOutputKeeping(pieces, units, limit, keep);
  return cut ?? parts.join('');
}

/** @param {unknown} content @returns {string[]} */
function readParts(content) {
  if (!Array.isArray(content)) throw wrongType('content', 'a string or an array of strings', content);
  return readTexts('content', content);
}

/**
 * Splits the text into pieces without copying: a V8 slice references its parent, so only pieces that join two parts are copied. The addon reads one
 * piece at a time, which avoids a copy of a huge output.
 * @param {readonly string[]} parts @returns {{ pieces: string[], units: number }}
 */
function piecesOf(parts) {
  const pieceUnits = outputPieceUnits();
  /** @type {string[]} */ const pieces = [];
  let units = 0;
  let begun = '';
  for (const part of parts) {
    units += part.length;
    const wanted = pieceUnits - begun.length;
    begun += part.slice(0, wanted);
    for (let at = wanted; begun.length === pieceUnits; at += pieceUnits) {
      pieces.push(begun);
      begun = part.slice(at, at + pieceUnits);
    }
  }
  if (begun !== '') pieces.push(begun);
  return { pieces, units };
}

/** @param {unknown} limitOrOptions @returns {{ limit: number, keep?: string | undefined }} */
function readOptions(limitOrOptions) {
  if (typeof limitOrOptions !== 'object' || limitOrOptions === null) {
    return { limit: readLimit('limit', limitOrOptions) };
  }
  const { limit, keep } = checkOptions(limitOrOptions, OPTIONS.truncateOutput) ?? {};
  return {
    limit: readLimit('options.limit', limit),
    keep: optional(readChoice, 'options.keep', keep, choicesOf('keepOutput')),
  };
}

/** @param {string} name @param {unknown} limit */
function readLimit(name, limit) {
  return optional(readCount, name, limit) ?? getMaxOutputLimit();
}

module.exports = { getMaxOutputLimit, trimEmptyLines, truncateOutput };
