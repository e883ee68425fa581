// @ts-check
/**
 * The cells that a request sends, in order. A cell is a message or one part of it; its index in the request is called
 * its place. Uses typed arrays: a slider needs them at every step, and a session has thousands of cells.
 * @import { Cell, ThreadPicture } from '../picture.js'
 * @typedef {'sent' | 'view'} Shows what the agent sent, or what `ContextView` sends
 * @typedef {'sent' | 'stored'} Sizes whether a cell is as large as what is sent, or as what is stored
 * @typedef {ReturnType<typeof requestCellsOf>} RequestCells
 * @typedef {{ count: number, stored: number, sent: number }} StateSum `count` of cells, and their tokens
 */

/** In place of a cell's index: the system prompt and tools, which have no cell. */ export const FIXED = -1;
/** Sent as stored. */ export const WHOLE = 0;
/** Outdated, and still sent. */ export const PENDING = 1;
/** Replaced by a placeholder. */ export const REPLACED = 2;
/** Shortened or removed by the agent itself. */ export const CLEARED = 3;
/** Sent with references to lines that the prompt already contains. */ export const WITH_REFERENCES = 4;
/** Tolerance for rounding errors in sums of tokens. */ const TOLERANCE = 0.5;

/** @param {Cell} cell @param {number} request index @param {Shows} shows */
function stateAt(cell, request, shows) {
  if (shows === 'view') {
    if (hasBegun(cell.replacedFrom, request)) return REPLACED;
    if (typeof cell.tokensShort === 'number') return WITH_REFERENCES;
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
  if (state === WITH_REFERENCES) return cell.tokensShort ?? cell.tokens;
  return state === REPLACED ? (cell.tokensReplaced ?? cell.tokens) : cell.tokens;
}

/**
 * The cells of a request; without such a request, only the system prompt and tools.
 * @param {ThreadPicture} thread @param {number} request index @param {Sizes} sizes @param {Shows} shows
 */
export function requestCellsOf(thread, request, sizes, shows) {
  const { prompt = [], cachedCells = 0, usage = null } = thread.requests[request] ?? {};
  const fixedCount = thread.fixedTokens > 0 ? 1 : 0;
  /** @type {[from: number, to: number][]} */
  const ranges = fixedCount > 0 ? [[FIXED, FIXED + 1], ...prompt] : prompt;
  const count = ranges.reduce((sum, [from, to]) => sum + to - from, 0);
  const noSum = () => ({ count: 0, stored: 0, sent: 0 });
  const requestCells = {
    /** By place: index in the thread's cells, or `FIXED`. */ indexes: new Int32Array(count),
    /** By place: how the cell is sent, such as `PENDING`. */ states: new Uint8Array(count),
    /** By place: offset in tokens; one more entry for the end. */ starts: new Float64Array(count + 1),
    /** How many cells from the first on were read from the prompt cache. */ cachedCount: 0,
    cachedTokens: 0,
    total: noSum(),
    /** By state. */ sums: [WHOLE, PENDING, REPLACED, CLEARED, WITH_REFERENCES].map(noSum),
  };
  const { indexes, states, starts, total, sums } = requestCells;
  const cacheRead = usage?.cacheRead ?? 0;
  let place = 0;
  for (const [from, to] of ranges) {
    for (let index = from; index < to; index++, place++) {
      const cell = thread.cells[index];
      const state = cell === undefined ? WHOLE : stateAt(cell, request, shows);
      const stored = cell === undefined ? thread.fixedTokens : cell.tokens;
      const sent = cell === undefined ? stored : tokensSent(cell, state);
      indexes[place] = index;
      states[place] = state;
      starts[place + 1] = /** @type {number} */ (starts[place]) + (sizes === 'sent' ? sent : stored);
      addTo(total, stored, sent);
      addTo(/** @type {StateSum} */ (sums[state]), stored, sent);
      // For what was sent, the provider reported the cached tokens; for a view they are computed.
      const isInView = cachedCells > 0 && place < cachedCells + fixedCount;
      const isCached = shows === 'view' ? isInView : total.sent <= cacheRead + TOLERANCE;
      if (!isCached || requestCells.cachedCount !== place) continue;
      requestCells.cachedCount = place + 1;
      requestCells.cachedTokens = total.sent;
    }
  }
  return requestCells;
}

/** @param {StateSum} sum @param {number} stored tokens of a cell @param {number} sent tokens of it */
function addTo(sum, stored, sent) {
  sum.count++;
  sum.stored += stored;
  sum.sent += sent;
}
