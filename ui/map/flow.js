// @ts-check
/**
 * The map's layout: one strip in sending order, broken into rows like a text. Areas are exact, a cell stays in place
 * while the request grows, and the cached prefix ends at one point. A treemap has none of these properties.
 *
 * @typedef {{ width: number, rows: number, rowTokens: number, rowHeight: number, gap: number }} Flow lengths in CSS pixels;
 *   `rows`: their count; `rowTokens`: tokens in one row
 * @typedef {{ x: number, y: number, width: number, height: number }} Rectangle
 */

/** CSS pixels. */
const ROW_HEIGHT = 20;
/** Space between rows in CSS pixels; the line under cached cells is drawn there. */
const GAP = 6;
/** Width to height of the map; its height also has a minimum and a maximum. */
const ASPECT = 2.6;
const MIN_HEIGHT = 280;
const MAX_HEIGHT = 440;

/**
 * The layout of a map.
 * @param {number} width CSS pixels @param {number} capacity tokens that fill it @returns {Flow}
 */
export function flowOf(width, capacity) {
  const height = Math.min(MAX_HEIGHT, Math.max(MIN_HEIGHT, width / ASPECT));
  const rows = Math.max(1, Math.floor(height / (ROW_HEIGHT + GAP)));
  return { width, rows, rowTokens: Math.max(1, capacity) / rows, rowHeight: ROW_HEIGHT, gap: GAP };
}

/** Height in CSS pixels. @param {Flow} flow */
export function heightOf({ rows, rowHeight, gap }) {
  return rows * (rowHeight + gap);
}

/**
 * Calls `each` with one rectangle per row between two offsets in tokens.
 * @param {Flow} flow @param {number} from @param {number} to @param {(rectangle: Rectangle) => void} each
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
 * @param {Flow} flow @param {number} from @param {number} to @returns {Rectangle}
 */
export function largestPiece(flow, from, to) {
  const row = Math.min(flow.rows - 1, Math.floor(from / flow.rowTokens));
  const x = Math.min(flow.width, ((from - row * flow.rowTokens) / flow.rowTokens) * flow.width);
  let largest = { x, y: row * (flow.rowHeight + flow.gap), width: 0, height: flow.rowHeight };
  eachPiece(flow, from, to, (piece) => {
    if (piece.width > largest.width) largest = piece;
  });
  return largest;
}

/** Converts a point to an offset in tokens; null outside the rows. @param {Flow} flow @param {number} x @param {number} y */
export function offsetAt({ width, rows, rowTokens, rowHeight, gap }, x, y) {
  const row = Math.floor(y / (rowHeight + gap));
  if (row < 0 || row >= rows || x < 0 || x >= width) return null;
  return row * rowTokens + (x / width) * rowTokens;
}

/**
 * The last cell with tokens that starts at or before an offset.
 * @param {Float64Array} starts as in a `Window` @param {number} offset tokens
 * @returns {number} the cell's place in the window; -1 after the last cell
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
