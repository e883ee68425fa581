// @ts-check
/**
 * Rejects an invalid picture with the location: a partial drawing would be taken for the whole session.
 * @import { SessionPicture } from '../picture.js'
 * @typedef {(value: any) => boolean} Check
 * @typedef {{ reason: 'missing' | 'version' | 'shape', where: string }} Problem
 *   `where`: the version found, or the path of the invalid value
 * @typedef {{ picture: null, problem: Problem }} Rejected
 */

/** The version of pictures that these elements support. */ export const PICTURE_VERSION = 1;

/** @param {unknown} value @returns {{ picture: SessionPicture, problem: null } | Rejected} */
export function readPicture(value) {
  if (value === undefined || value === null) return rejected('missing', '');
  if (!isRecord(value)) return rejected('shape', 'picture');
  if (value.version !== PICTURE_VERSION) return rejected('version', String(value.version).slice(0, 20));
  const where = invalidPath(value);
  if (where !== null) return rejected('shape', where);
  return { picture: /** @type {SessionPicture} */ (/** @type {unknown} */ (value)), problem: null };
}

/** @param {Problem['reason']} reason @param {string} where @returns {Rejected} */
function rejected(reason, where) {
  return { picture: null, problem: { reason, where } };
}

/** Path of the first invalid value, or null. @param {Record<string, unknown>} picture */
function invalidPath({ kinds, tools, threads }) {
  if (!isListOf(isString)(kinds)) return 'kinds';
  if (!isListOf(isString)(tools)) return 'tools';
  if (!Array.isArray(threads) || threads.length === 0) return 'threads';
  for (const [index, thread] of threads.entries()) {
    const where = invalidPathInThread(thread, kinds.length, tools.length);
    if (where !== null) return `threads[${index}]${where}`;
  }
  return null;
}

/** As {@link invalidPath}, in a thread. @param {unknown} thread @param {number} kindCount @param {number} toolCount */
function invalidPathInThread(thread, kindCount, toolCount) {
  if (!isRecord(thread)) return '';
  const { fixedTokens, cells, requests, costs } = thread;
  if (!isAmount(fixedTokens)) return '.fixedTokens';
  if (!Array.isArray(cells)) return '.cells';
  if (!Array.isArray(requests)) return '.requests';
  if (!Array.isArray(costs)) return '.costs';
  const checks = checksOf(kindCount, toolCount, cells.length, requests.length);
  for (const [name, list] of Object.entries({ cells, requests, costs })) {
    const isValid = checks[/** @type {keyof typeof checks} */ (name)];
    const index = list.findIndex((value) => !isValid(value));
    if (index >= 0) return `.${name}[${index}]`;
  }
  return null;
}

/**
 * The checks of a thread's cells, requests and costs. @param {number} kindCount @param {number} toolCount
 * @param {number} cellCount @param {number} requestCount
 */
function checksOf(kindCount, toolCount, cellCount, requestCount) {
  const isBound = isIndex(cellCount + 1);
  const isSeriesOf = (/** @type {Check} */ isValid) => (/** @type {any} */ list) =>
    isListOf(isValid)(list) && list.length === requestCount;
  const isSeries = isSeriesOf(isAmount);
  const cells = hasFields({
    message: isIndex(Number.POSITIVE_INFINITY),
    kind: isIndex(kindCount),
    tool: isNullOr(isIndex(toolCount)),
    tokens: isAmount,
    'tokensShort tokensReplaced tokensCleared clearedFrom staleFrom replacedFrom': isNullOr(isAmount),
    rule: isNullOr(isString),
    label: isString,
  });
  const requests = hasFields({
    timeMs: isNullOr(Number.isFinite),
    model: isNullOr(isString),
    prompt: isListOf((range) => Array.isArray(range) && isBound(range[0]) && isBound(range[1]) && range[0] <= range[1]),
    'tokens tokensView cachedCells': isAmount,
    tokensByKind: (list) => isListOf(isAmount)(list) && list.length <= kindCount,
    bust: isNullOr(hasFields({ cause: isString, tokens: isAmount })),
    usage: isNullOr(hasFields({ prompt: isAmount, cacheRead: isAmount })),
  });
  const costs = hasFields({
    prices: isString,
    policies: hasFields({
      'leftAlone everyRequest view': isSeries,
      'batches20k batches30k clearAbove100k': isNullOr(isSeries),
      paid: isNullOr(isSeriesOf(isNullOr(isAmount))),
    }),
  });
  return { cells, requests, costs };
}

/** @param {Record<string, Check>} checks by the names of fields, separated by spaces @returns {Check} */
function hasFields(checks) {
  const fields = Object.entries(checks).flatMap(([names, isValid]) =>
    names.split(' ').map((name) => /** @type {const} */ ([name, isValid])),
  );
  return (value) => isRecord(value) && fields.every(([name, isValid]) => isValid(value[name]));
}

/** @param {unknown} value @returns {value is Record<string, unknown>} */
function isRecord(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** @type {Check} */
const isString = (value) => typeof value === 'string';

/** @type {Check} */
const isAmount = (value) => typeof value === 'number' && value >= 0 && value < Number.POSITIVE_INFINITY;

/** @param {number} length of the list that is indexed @returns {Check} */
function isIndex(length) {
  return (value) => Number.isSafeInteger(value) && value >= 0 && value < length;
}

/** A missing value counts as null. @param {Check} isValid @returns {Check} */
function isNullOr(isValid) {
  return (value) => value === null || value === undefined || isValid(value);
}

/** @param {Check} isValid */
function isListOf(isValid) {
  /** @param {unknown} value @returns {value is any[]} */
  return (value) => Array.isArray(value) && value.every(isValid);
}
