// @ts-check
/**
 * Validates a picture. An invalid one is rejected with its location, because a partial drawing would be taken for the
 * whole session.
 *
 * @import { SessionPicture } from '../picture.js'
 * @typedef {{ reason: 'missing' | 'version' | 'shape', where: string }} Problem
 *   `where`: the version found, or the path of the invalid value
 */

/** The version of pictures that these elements support. */
export const PICTURE_VERSION = 1;

/**
 * Checks a picture.
 * @param {unknown} value @returns {{ picture: SessionPicture, problem: null } | { picture: null, problem: Problem }}
 */
export function readPicture(value) {
  if (value === undefined || value === null) return rejected('missing', '');
  if (!isRecord(value)) return rejected('shape', 'picture');
  if (value.version !== PICTURE_VERSION) return rejected('version', String(value.version).slice(0, 20));
  const where = invalidPath(value);
  if (where !== null) return rejected('shape', where);
  return { picture: /** @type {SessionPicture} */ (/** @type {unknown} */ (value)), problem: null };
}

/** @param {Problem['reason']} reason @param {string} where @returns {{ picture: null, problem: Problem }} */
function rejected(reason, where) {
  return { picture: null, problem: { reason, where } };
}

/** Path of the first invalid value, or null. @param {Record<string, unknown>} picture */
function invalidPath(picture) {
  if (!isListOf(picture.kinds, isString)) return 'kinds';
  if (!isListOf(picture.tools, isString)) return 'tools';
  const { threads } = picture;
  if (!Array.isArray(threads) || threads.length === 0) return 'threads';
  for (let index = 0; index < threads.length; index++) {
    const where = invalidPathInThread(threads[index], picture.kinds.length, picture.tools.length);
    if (where !== null) return `threads[${index}]${where}`;
  }
  return null;
}

/**
 * Path of the first invalid value within a thread, or null.
 * @param {unknown} thread @param {number} kinds count @param {number} tools count
 */
function invalidPathInThread(thread, kinds, tools) {
  if (!isRecord(thread)) return '';
  const { cells, requests, costs } = thread;
  if (!isAmount(thread.fixedTokens)) return '.fixedTokens';
  if (!Array.isArray(cells)) return '.cells';
  if (!Array.isArray(requests)) return '.requests';
  if (!Array.isArray(costs)) return '.costs';
  const cell = cells.findIndex((one) => !isCell(one, kinds, tools));
  if (cell >= 0) return `.cells[${cell}]`;
  const request = requests.findIndex((one) => !isRequest(one, cells.length, kinds));
  if (request >= 0) return `.requests[${request}]`;
  const cost = costs.findIndex((one) => !isCost(one, requests.length));
  return cost >= 0 ? `.costs[${cost}]` : null;
}

/** @param {unknown} cell @param {number} kinds count @param {number} tools count */
function isCell(cell, kinds, tools) {
  return (
    isRecord(cell) &&
    isIndex(cell.message, Number.POSITIVE_INFINITY) &&
    isIndex(cell.kind, kinds) &&
    isNullOr(cell.tool, (tool) => isIndex(tool, tools)) &&
    isAmount(cell.tokens) &&
    isNullOr(cell.tokensShort, isAmount) &&
    isNullOr(cell.tokensReplaced, isAmount) &&
    isNullOr(cell.clearedFrom, isAmount) &&
    isNullOr(cell.tokensCleared, isAmount) &&
    isNullOr(cell.staleFrom, isAmount) &&
    isNullOr(cell.replacedFrom, isAmount) &&
    isNullOr(cell.rule, isString) &&
    isString(cell.label)
  );
}

/** @param {unknown} request @param {number} cells count @param {number} kinds count */
function isRequest(request, cells, kinds) {
  return (
    isRecord(request) &&
    isNullOr(request.timeMs, Number.isFinite) &&
    isNullOr(request.model, isString) &&
    isListOf(request.prompt, (range) => isRange(range, cells)) &&
    isAmount(request.tokens) &&
    isAmount(request.tokensView) &&
    isAmount(request.cachedCells) &&
    isListOf(request.tokensByKind, isAmount) &&
    request.tokensByKind.length <= kinds &&
    isNullOr(request.bust, (bust) => isRecord(bust) && isString(bust.cause) && isAmount(bust.tokens)) &&
    isNullOr(request.usage, (usage) => isRecord(usage) && isAmount(usage.prompt) && isAmount(usage.cacheRead))
  );
}

/** @param {unknown} range @param {number} cells count */
function isRange(range, cells) {
  return Array.isArray(range) && isIndex(range[0], cells + 1) && isIndex(range[1], cells + 1) && range[0] <= range[1];
}

/** @param {unknown} cost @param {number} requests count */
function isCost(cost, requests) {
  if (!isRecord(cost) || !isString(cost.prices) || !isRecord(cost.policies)) return false;
  const { leftAlone, everyRequest, batches20k, batches30k, clearAbove100k, view, paid } = cost.policies;
  const isSeries = (/** @type {unknown} */ series) => isListOf(series, isAmount) && series.length === requests;
  const isPaid = isNullOr(
    paid,
    (series) => isListOf(series, (one) => isNullOr(one, isAmount)) && series.length === requests,
  );
  const required = [leftAlone, everyRequest, view];
  const optional = [batches20k, batches30k, clearAbove100k];
  return required.every(isSeries) && optional.every((series) => isNullOr(series, isSeries)) && isPaid;
}

/** @param {unknown} value @returns {value is Record<string, unknown>} */
function isRecord(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** @param {unknown} value @returns {value is string} */
function isString(value) {
  return typeof value === 'string';
}

/** @param {unknown} value */
function isAmount(value) {
  return typeof value === 'number' && value >= 0 && value < Number.POSITIVE_INFINITY;
}

/** @param {unknown} value @param {number} length of the list that is indexed */
function isIndex(value, length) {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value < length;
}

/** A missing value counts as null. @param {unknown} value @param {(value: any) => boolean} isValid */
function isNullOr(value, isValid) {
  return value === null || value === undefined || isValid(value);
}

/** @param {unknown} value @param {(value: any) => boolean} isValid @returns {value is any[]} */
function isListOf(value, isValid) {
  return Array.isArray(value) && value.every(isValid);
}
