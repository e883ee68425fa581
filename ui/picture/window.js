// @ts-check
/**
 * The cells that a request sends, as typed arrays: a slider needs them at every step, and a session has thousands of
 * cells.
 *
 * @import { Cell, ThreadPicture } from '../picture.js'
 * @typedef {'sent' | 'view'} Shows `view`: what `ContextView` sends
 * @typedef {'sent' | 'stored'} Sizes
 * @typedef {{ cells: Int32Array, states: Uint8Array, starts: Float64Array, cached: number, sums: Sums }} Window
 *   `cells`: indexes in the thread's cells, or `FIXED`; `starts`: in tokens, plus a last entry for the end; `cached`:
 *   number of leading cells that were read from the prompt cache
 * @typedef {{ sent: number, stored: number, cachedTokens: number, replaced: number, saved: number, pending: number, pendingTokens: number,
 *   cleared: number, clearedTokens: number, short: number, shortSaved: number }} Sums
 */

/** Index of the system prompt and tools, which have no cell. */
export const FIXED = -1;

export const WHOLE = 0;
export const PENDING = 1;
export const REPLACED = 2;
/** The agent itself shortened or removed the result. */
export const CLEARED = 3;
/** Sent with references to lines that the prompt already contains. */
export const SHORT = 4;

/** Tolerance for rounding errors in sums of tokens. */
const SMALLEST = 0.5;

/** @param {Cell} cell @param {number} request @param {Shows} shows */
function stateAt(cell, request, shows) {
  if (shows === 'view' ? isFrom(cell.replacedFrom, request) : isFrom(cell.clearedFrom, request))
    return shows === 'view' ? REPLACED : CLEARED;
  if (shows === 'view' && typeof cell.tokensShort === 'number') return SHORT;
  return isFrom(cell.staleFrom, request) ? PENDING : WHOLE;
}

/** @param {number | null | undefined} from @param {number} request */
function isFrom(from, request) {
  return from !== null && from !== undefined && request >= from;
}

/** @param {Cell} cell @param {number} state */
export function tokensSent(cell, state) {
  if (state === CLEARED) return Math.max(0, cell.tokens - (cell.tokensCleared ?? cell.tokens));
  if (state === SHORT) return cell.tokensShort ?? cell.tokens;
  return state === REPLACED ? (cell.tokensReplaced ?? cell.tokens) : cell.tokens;
}

/**
 * @param {ThreadPicture} thread @param {number} request index in `thread.requests` @param {Sizes} sizes
 * @param {Shows} shows @returns {Window}
 */
export function windowAt(thread, request, sizes, shows) {
  const { prompt = [], cachedCells = 0, usage = null } = thread.requests[request] ?? {};
  const fixed = thread.fixedTokens > 0 ? 1 : 0;
  const count = fixed + prompt.reduce((sum, [from, to]) => sum + to - from, 0);
  const cells = new Int32Array(count);
  const states = new Uint8Array(count);
  const starts = new Float64Array(count + 1);
  const window = { cells, states, starts, cached: 0, sums: noSums() };
  const read = usage?.cacheRead ?? 0;
  // For what was sent, the provider reported the cached tokens; for a view they are computed.
  const isCached = (/** @type {number} */ place) =>
    shows === 'view' ? cachedCells > 0 && place < cachedCells + fixed : window.sums.sent <= read + SMALLEST;
  const add = (/** @type {number} */ place, /** @type {number} */ stored, /** @type {number} */ sent) => {
    put(window, place, stored, sent, sizes);
    if (window.cached === place && isCached(place)) {
      window.cached = place + 1;
      window.sums.cachedTokens = window.sums.sent;
    }
  };
  if (fixed > 0) {
    cells[0] = FIXED;
    add(0, thread.fixedTokens, thread.fixedTokens);
  }
  let at = fixed;
  for (const [from, to] of prompt) {
    for (let place = from; place < to; place++, at++) {
      const cell = /** @type {Cell} */ (thread.cells[place]);
      cells[at] = place;
      states[at] = stateAt(cell, request, shows);
      add(at, cell.tokens, tokensSent(cell, /** @type {number} */ (states[at])));
    }
  }
  return window;
}

/** @returns {Sums} */
function noSums() {
  const none = { sent: 0, stored: 0, cachedTokens: 0, replaced: 0, saved: 0, pending: 0, pendingTokens: 0 };
  return { ...none, cleared: 0, clearedTokens: 0, short: 0, shortSaved: 0 };
}

/** @param {Window} window @param {number} at @param {number} stored @param {number} sent @param {Sizes} sizes */
function put({ starts, states, sums }, at, stored, sent, sizes) {
  starts[at + 1] = /** @type {number} */ (starts[at]) + (sizes === 'sent' ? sent : stored);
  sums.sent += sent;
  sums.stored += stored;
  if (states[at] === CLEARED) {
    sums.cleared++;
    sums.clearedTokens += stored - sent;
  } else if (states[at] === REPLACED) {
    sums.replaced++;
    sums.saved += stored - sent;
  } else if (states[at] === SHORT) {
    sums.short++;
    sums.shortSaved += stored - sent;
  } else if (states[at] === PENDING) {
    sums.pending++;
    sums.pendingTokens += stored;
  }
}
