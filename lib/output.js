// @ts-check
'use strict';

const native = require('./native.js');
const { checkOptions, choicesOf, optional, readChoice, readCount, readText } = require('./arguments.js');
const { OPTIONS } = require('./option-names.js');

/** @type {string | undefined} */
let limitVariable;
/** @type {number | undefined} */
let pieceUnits;

/**
 * @param {string} content
 * @returns {string}
 */
function trimEmptyLines(content) {
  readText('content', content);
  return native.trimEmptyLines(content) ?? content;
}

/**
 * Reads JavaScript's `process.env`, not the process's: worker threads have their own.
 * @returns {number}
 */
function getMaxOutputLimit() {
  limitVariable ??= native.outputLimitVariable();
  return native.outputLimit(process.env[limitVariable]);
}

/**
 * @param {string} content
 * @param {number | { limit?: number, keep?: string } | null} [limitOrOptions]
 * @returns {string}
 */
function truncateOutput(content, limitOrOptions) {
  readText('content', content);
  const { limit, keep } = readOptions(limitOrOptions);
  if (keep !== undefined) return native.truncateOutputKeeping(content, limit, keep) ?? content;
  return native.truncateOutput(piecesOf(content), content.length, limit) ?? content;
}

/**
 * Cuts without copying: to V8 a slice is a place in its parent. The addon reads one piece at a time, which spares
 * it a copy of all of a huge output.
 *
 * @param {string} content
 * @returns {string[]}
 */
function piecesOf(content) {
  pieceUnits ??= native.outputPieceUnits();
  if (content.length <= pieceUnits) return [content];
  const pieces = [];
  for (let at = 0; at < content.length; at += pieceUnits) pieces.push(content.slice(at, at + pieceUnits));
  return pieces;
}

/**
 * @param {unknown} limitOrOptions
 * @returns {{ limit: number, keep?: string | undefined }}
 */
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
