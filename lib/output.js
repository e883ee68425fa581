// @ts-check
'use strict';

const native = require('./native.js');
const { outOfRange, wrongType } = require('./errors.js');

/** @type {string | undefined} */
let limitVariable;
/** @type {number | undefined} */
let pieceUnits;

/**
 * @param {string} content
 * @returns {string}
 */
function trimEmptyLines(content) {
  checkContent(content);
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
  checkContent(content);
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
 * @returns {{ limit: number, keep?: string }}
 */
function readOptions(limitOrOptions) {
  if (typeof limitOrOptions !== 'object' || limitOrOptions === null) {
    return { limit: readLimit('limit', limitOrOptions) };
  }
  const { limit, keep } = /** @type {Record<string, unknown>} */ (limitOrOptions);
  if (keep !== undefined && keep !== null && typeof keep !== 'string')
    throw wrongType('options.keep', 'a string', keep);
  return { limit: readLimit('options.limit', limit), keep: keep ?? undefined };
}

/**
 * @param {string} name
 * @param {unknown} limit
 * @returns {number}
 */
function readLimit(name, limit) {
  if (limit === undefined || limit === null) return getMaxOutputLimit();
  if (typeof limit !== 'number') throw wrongType(name, 'a number', limit);
  if (!Number.isSafeInteger(limit) || limit < 0) {
    throw outOfRange(name, 'a non-negative safe integer', String(limit));
  }
  return limit;
}

/** @param {unknown} content */
function checkContent(content) {
  if (typeof content !== 'string') throw wrongType('content', 'a string', content);
}

module.exports = { getMaxOutputLimit, trimEmptyLines, truncateOutput };
