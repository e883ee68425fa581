// @ts-check
/**
 * The map's layout: one strip in sending order, broken into rows like a text. Areas are exact, a cell stays in place
 * while the request grows, and the cached prefix ends at one point. A treemap has none of these properties.
 *
 * @typedef {{ width: number, rows: number, rowTokens: number, rowHeight: number, gap: number }} Flow `rowTokens`: tokens in one row
 * @typedef {{ x: number, y: number, width: number, height: number }} Rectangle
 */

const ROW_HEIGHT = 20;
/** Space between rows in CSS pixels; the line under cached cells is drawn there. */
const GAP = 6;
/** Width to height of the map; its height also has a minimum and a maximum. */
const ASPECT = 2.6;
const MIN_HEIGHT = 280;
const MAX_HEIGHT = 440;

/** @param {number} width CSS pixels @param {number} capacity tokens @returns {Flow} */
export function flowOf(width, capacity) {
  const height = Math.min(MAX_HEIGHT, Math.max(MIN_HEIGHT, width / ASPECT));
  const rows = Math.max(1, Math.floor(height / (ROW_HEIGHT + GAP)));
  return { width, rows, rowTokens: Math.max(1, capacity) / rows, rowHeight: ROW_HEIGHT, gap: GAP };
}

/** @param {Flow} flow */
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
  for (let at = from; at < to && row < rows; row++) {
    const rowStart = row * rowTokens;
    const end = Math.min(to, rowStart + rowTokens);
    if (end > at) {
      each({ x: (at - rowStart) * scale, y: row * (rowHeight + gap), width: (end - at) * scale, height: rowHeight });
      at = end;
    }
  }
}

/**
 * The position of a cell's focus ring and tooltip. A cell without tokens has one too.
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
export function placeAt({ width, rows, rowTokens, rowHeight, gap }, x, y) {
  const row = Math.floor(y / (rowHeight + gap));
  if (row < 0 || row >= rows || x < 0 || x >= width) return null;
  return row * rowTokens + (x / width) * rowTokens;
}

/**
 * The last cell with tokens that starts at or before `place`.
 * @param {Float64Array} starts as in a `Window` @param {number} place @returns {number} -1 after the last cell
 */
export function cellAt(starts, place) {
  const count = starts.length - 1;
  if (place < 0 || place >= /** @type {number} */ (starts[count])) return -1;
  let low = 0;
  let high = count;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (/** @type {number} */ (starts[middle]) <= place) low = middle;
    else high = middle;
  }
  return low;
}
