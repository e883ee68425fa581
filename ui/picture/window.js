// @ts-check
/**
 * The window at one request: which cells are sent, in their order, how large, and in which state. Flat arrays, since a
 * slider asks for this at every step and a session has thousands of cells.
 *
 * @import { Cell, ThreadPicture } from '../picture.js'
 * @typedef {'sent' | 'stored'} Sizes cells as large as what `ContextView` sends, or as what is stored
 * @typedef {{ cells: Int32Array, states: Uint8Array, starts: Float64Array, cached: number, sums: Sums }} Window
 *   `cells`: places in the thread's cells, `FIXED` for what is ahead of them all; `starts` has one entry more than they:
 *   where each begins, in tokens; the first `cached` are expected in the provider's cache
 * @typedef {{ sent: number, stored: number, cachedTokens: number, replaced: number, saved: number, pending: number, pendingTokens: number }} Sums
 */

/** Stands among places of cells for the system prompt and tools that no cell has. */
export const FIXED = -1;

export const WHOLE = 0;
export const PENDING = 1;
export const REPLACED = 2;

/**
 * @param {Cell} cell
 * @param {number} request
 */
function stateAt(cell, request) {
  if (isFrom(cell.replacedFrom, request)) return REPLACED;
  return isFrom(cell.staleFrom, request) ? PENDING : WHOLE;
}

/** @param {number | null | undefined} from @param {number} request */
function isFrom(from, request) {
  return from !== null && from !== undefined && request >= from;
}

/** @param {Cell} cell @param {number} state the tokens that are sent for it in that state */
export function tokensSent(cell, state) {
  return state === REPLACED ? (cell.tokensReplaced ?? cell.tokens) : cell.tokens;
}

/**
 * @param {ThreadPicture} thread
 * @param {number} request a place in `thread.requests`
 * @param {Sizes} sizes
 * @returns {Window}
 */
export function windowAt(thread, request, sizes) {
  const { prompt = [], cachedCells = 0 } = thread.requests[request] ?? {};
  const fixed = thread.fixedTokens > 0 ? 1 : 0;
  const count = fixed + prompt.reduce((sum, [from, to]) => sum + to - from, 0);
  const cells = new Int32Array(count);
  const states = new Uint8Array(count);
  const starts = new Float64Array(count + 1);
  const cached = cachedCells > 0 ? Math.min(count, cachedCells + fixed) : 0;
  const window = { cells, states, starts, cached, sums: noSums() };
  if (fixed > 0) {
    cells[0] = FIXED;
    put(window, 0, thread.fixedTokens, thread.fixedTokens, sizes);
  }
  let at = fixed;
  for (const [from, to] of prompt) {
    for (let place = from; place < to; place++, at++) {
      const cell = /** @type {Cell} */ (thread.cells[place]);
      cells[at] = place;
      states[at] = stateAt(cell, request);
      put(window, at, cell.tokens, tokensSent(cell, /** @type {number} */ (states[at])), sizes);
    }
  }
  return window;
}

/** @returns {Sums} */
function noSums() {
  return { sent: 0, stored: 0, cachedTokens: 0, replaced: 0, saved: 0, pending: 0, pendingTokens: 0 };
}

/**
 * @param {Window} window @param {number} at @param {number} stored @param {number} sent
 * @param {Sizes} sizes
 */
function put({ starts, states, cached, sums }, at, stored, sent, sizes) {
  starts[at + 1] = /** @type {number} */ (starts[at]) + (sizes === 'sent' ? sent : stored);
  sums.sent += sent;
  sums.stored += stored;
  if (at < cached) sums.cachedTokens += sent;
  if (states[at] === REPLACED) {
    sums.replaced++;
    sums.saved += stored - sent;
  } else if (states[at] === PENDING) {
    sums.pending++;
    sums.pendingTokens += stored;
  }
}
