// @ts-check
/**
 * The window: the cells that a request sends, in order. A cell is a part of a message; its index in the window is called
 * its place. The window has typed arrays: a slider needs it at every step, and a session has thousands of cells.
 *
 * @import { Cell, ThreadPicture } from '../picture.js'
 * @typedef {'sent' | 'view'} Shows what the agent sent, or what `ContextView` sends
 * @typedef {'sent' | 'stored'} Sizes whether a cell is as large as what is sent, or as what is stored
 * @typedef {object} Window
 * @property {Int32Array} cells by place: index in the thread's cells, or `FIXED`
 * @property {Uint8Array} states by place: how the cell is sent
 * @property {Float64Array} starts by place: offset in tokens; one more entry for the end
 * @property {number} cachedCount how many cells from the first on were read from the prompt cache
 * @property {Sums} sums
 * @typedef {object} Sums counts of cells, and tokens
 * @property {number} sent tokens
 * @property {number} stored tokens
 * @property {number} cachedTokens
 * @property {number} replaced count
 * @property {number} saved tokens that placeholders save
 * @property {number} pending count
 * @property {number} pendingTokens
 * @property {number} cleared count
 * @property {number} clearedTokens tokens that clearing saves
 * @property {number} short count
 * @property {number} shortSaved tokens that references save
 */

/** In place of a cell's index: the system prompt and tools, which have no cell. */
export const FIXED = -1;

/** Sent as stored. */
export const WHOLE = 0;
/** Outdated, and still sent. */
export const PENDING = 1;
/** Replaced by a placeholder. */
export const REPLACED = 2;
/** Shortened or removed by the agent itself. */
export const CLEARED = 3;
/** Sent with references to lines that the prompt already contains. */
export const SHORT = 4;

/** Tolerance for rounding errors in sums of tokens. */
const TOLERANCE = 0.5;

/** @param {Cell} cell @param {number} request @param {Shows} shows */
function stateAt(cell, request, shows) {
  if (shows === 'view') {
    if (hasBegun(cell.replacedFrom, request)) return REPLACED;
    if (typeof cell.tokensShort === 'number') return SHORT;
  } else if (hasBegun(cell.clearedFrom, request)) return CLEARED;
  return hasBegun(cell.staleFrom, request) ? PENDING : WHOLE;
}

/** @param {number | null | undefined} firstRequest null or undefined: never @param {number} request */
function hasBegun(firstRequest, request) {
  return firstRequest !== null && firstRequest !== undefined && request >= firstRequest;
}

/** Tokens of a cell in a state. @param {Cell} cell @param {number} state */
export function tokensSent(cell, state) {
  if (state === CLEARED) return Math.max(0, cell.tokens - (cell.tokensCleared ?? cell.tokens));
  if (state === SHORT) return cell.tokensShort ?? cell.tokens;
  return state === REPLACED ? (cell.tokensReplaced ?? cell.tokens) : cell.tokens;
}

/**
 * The window of a request.
 * @param {ThreadPicture} thread @param {number} request index in `thread.requests` @param {Sizes} sizes
 * @param {Shows} shows @returns {Window}
 */
export function windowAt(thread, request, sizes, shows) {
  const { prompt = [], cachedCells = 0, usage = null } = thread.requests[request] ?? {};
  const fixedCount = thread.fixedTokens > 0 ? 1 : 0;
  const count = fixedCount + prompt.reduce((sum, [from, to]) => sum + to - from, 0);
  const cells = new Int32Array(count);
  const states = new Uint8Array(count);
  const starts = new Float64Array(count + 1);
  const window = { cells, states, starts, cachedCount: 0, sums: noSums() };
  const cacheRead = usage?.cacheRead ?? 0;
  // For what was sent, the provider reported the cached tokens; for a view they are computed.
  const isCached = (/** @type {number} */ place) =>
    shows === 'view' ? cachedCells > 0 && place < cachedCells + fixedCount : window.sums.sent <= cacheRead + TOLERANCE;
  const add = (/** @type {number} */ place, /** @type {number} */ stored, /** @type {number} */ sent) => {
    put(window, place, stored, sent, sizes);
    if (window.cachedCount === place && isCached(place)) {
      window.cachedCount = place + 1;
      window.sums.cachedTokens = window.sums.sent;
    }
  };
  if (fixedCount > 0) {
    cells[0] = FIXED;
    add(0, thread.fixedTokens, thread.fixedTokens);
  }
  let place = fixedCount;
  for (const [from, to] of prompt) {
    for (let index = from; index < to; index++, place++) {
      const cell = /** @type {Cell} */ (thread.cells[index]);
      const state = stateAt(cell, request, shows);
      cells[place] = index;
      states[place] = state;
      add(place, cell.tokens, tokensSent(cell, state));
    }
  }
  return window;
}

/** @returns {Sums} */
function noSums() {
  const none = { sent: 0, stored: 0, cachedTokens: 0, replaced: 0, saved: 0, pending: 0, pendingTokens: 0 };
  return { ...none, cleared: 0, clearedTokens: 0, short: 0, shortSaved: 0 };
}

/**
 * Adds a cell's tokens to its end and to the sums.
 * @param {Window} window @param {number} place @param {number} stored tokens @param {number} sent tokens @param {Sizes} sizes
 */
function put({ starts, states, sums }, place, stored, sent, sizes) {
  starts[place + 1] = /** @type {number} */ (starts[place]) + (sizes === 'sent' ? sent : stored);
  sums.sent += sent;
  sums.stored += stored;
  if (states[place] === CLEARED) {
    sums.cleared++;
    sums.clearedTokens += stored - sent;
  } else if (states[place] === REPLACED) {
    sums.replaced++;
    sums.saved += stored - sent;
  } else if (states[place] === SHORT) {
    sums.short++;
    sums.shortSaved += stored - sent;
  } else if (states[place] === PENDING) {
    sums.pending++;
    sums.pendingTokens += stored;
  }
}
