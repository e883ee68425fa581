// @ts-check
/**
 * The map's layout: one strip in sending order, broken into rows like a text. Areas are exact, a cell stays in place
 * while the request grows, and the cached prefix ends at one point. A treemap has none of these properties. The scale
 * is the same for all requests of a thread: the largest one fills the map.
 * @import { ThreadPicture } from '../picture.js'
 * @import { Shows, Sizes } from '../picture/request-cells.js'
 * @typedef {ReturnType<typeof layoutOf>} Layout lengths in CSS pixels; `rows`: their count; `rowTokens`: tokens in one
 *   row; `limit`: tokens of the model's window, null if it isn't drawn
 * @typedef {{ x: number, y: number, width: number, height: number }} Rectangle in CSS pixels
 */

/** If the context window is more than this multiple of the largest request, it isn't drawn, only named. */ const MAX_DRAWN_MULTIPLE = 3;

// Lengths are in CSS pixels. The line under cached cells is drawn in the gap between rows.
const ROW_HEIGHT = 20;
const GAP = 6;
const WIDTH_TO_HEIGHT = 2.6;
const MIN_HEIGHT = 280;
const MAX_HEIGHT = 440;

/**
 * The tokens that fill the map, and the model's window; null if it isn't drawn, because cells would be too thin.
 * @param {ThreadPicture} thread @param {{ sizes: Sizes, shows: Shows }} options
 * @param {number | null} contextWindow tokens @returns {{ capacity: number, limit: number | null }}
 */
export function capacityOf({ cells, fixedTokens, requests }, { sizes, shows }, contextWindow) {
  const storedTokens = (/** @type {[from: number, to: number][]} */ prompt) =>
    prompt.flatMap(([from, to]) => cells.slice(from, to)).reduce((sum, { tokens }) => sum + tokens, fixedTokens);
  // What the agent cleared is stored, and not in `tokens`.
  const hasCleared = sizes === 'stored' && cells.some(({ clearedFrom = null }) => clearedFrom !== null);
  const largest = requests.reduce((max, { tokens, tokensView, prompt }) => {
    if (sizes === 'sent') return Math.max(max, shows === 'view' ? tokensView : tokens);
    return Math.max(max, hasCleared ? storedTokens(prompt) : tokens);
  }, 0);
  if (contextWindow === null || contextWindow > largest * MAX_DRAWN_MULTIPLE) return { capacity: largest, limit: null };
  // Leave space for the line that marks the window.
  return { capacity: Math.max(largest, contextWindow * 1.02), limit: contextWindow };
}

/** @param {number} width CSS pixels @param {ReturnType<typeof capacityOf>} tokens */
export function layoutOf(width, { capacity, limit }) {
  const height = Math.min(MAX_HEIGHT, Math.max(MIN_HEIGHT, width / WIDTH_TO_HEIGHT));
  const rows = Math.max(1, Math.floor(height / (ROW_HEIGHT + GAP)));
  return { width, rows, rowTokens: Math.max(1, capacity) / rows, rowHeight: ROW_HEIGHT, gap: GAP, limit };
}

/** The map's height. @param {Layout} layout */
export function heightOf({ rows, rowHeight, gap }) {
  return rows * (rowHeight + gap);
}

/**
 * Calls `each` with one rectangle per row between two offsets in tokens.
 * @param {Layout} layout @param {number} from @param {number} to @param {(rectangle: Rectangle) => void} each
 */
export function eachPiece({ width, rows, rowTokens, rowHeight, gap }, from, to, each) {
  const scale = width / rowTokens;
  let row = Math.min(rows - 1, Math.floor(from / rowTokens));
  for (let start = from; start < to && row < rows; row++) {
    const rowStart = row * rowTokens;
    const end = Math.min(to, rowStart + rowTokens);
    if (end > start) {
      const x = (start - rowStart) * scale;
      each({ x, y: row * (rowHeight + gap), width: (end - start) * scale, height: rowHeight });
      start = end;
    }
  }
}

/**
 * The widest rectangle between two offsets in tokens. If they are equal, it has no width.
 * @param {Layout} layout @param {number} from @param {number} to @returns {Rectangle}
 */
export function largestPiece(layout, from, to) {
  const { width, rows, rowTokens, rowHeight, gap } = layout;
  const row = Math.min(rows - 1, Math.floor(from / rowTokens));
  const x = Math.min(width, ((from - row * rowTokens) / rowTokens) * width);
  let largest = { x, y: row * (rowHeight + gap), width: 0, height: rowHeight };
  eachPiece(layout, from, to, (piece) => {
    if (piece.width > largest.width) largest = piece;
  });
  return largest;
}

/** Offset in tokens at a point; null outside the rows. @param {Layout} layout @param {number} x @param {number} y */
export function offsetAt({ width, rows, rowTokens, rowHeight, gap }, x, y) {
  const row = Math.floor(y / (rowHeight + gap));
  if (row < 0 || row >= rows || x < 0 || x >= width) return null;
  return row * rowTokens + (x / width) * rowTokens;
}

/**
 * The place of the last cell with tokens that starts at or before an offset; -1 after the last cell.
 * @param {Float64Array} starts as in `RequestCells` @param {number} offset tokens
 */
export function placeAt(starts, offset) {
  const count = starts.length - 1;
  if (offset < 0 || offset >= /** @type {number} */ (starts[count])) return -1;
  let low = 0;
  let high = count;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (/** @type {number} */ (starts[middle]) <= offset) low = middle;
    else high = middle;
  }
  return low;
}
