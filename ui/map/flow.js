// @ts-check
/**
 * Where cells lie: one strip in the order in which they are sent, broken into rows like a text. Areas are exact, a cell stays
 * where it is while the window grows behind it, and the cached prefix is what lies ahead of one place. A treemap has none of
 * the three.
 *
 * @typedef {{ width: number, rows: number, rowTokens: number, rowHeight: number, gap: number }} Flow `rowTokens`: tokens in one row
 * @typedef {{ x: number, y: number, width: number, height: number }} Rectangle
 */

const ROW_HEIGHT = 20;
/** Between rows runs the line under what is cached. */
const GAP = 6;
/** The map is about this wide as it is high, within bounds that fit a page. */
const ASPECT = 2.6;
const LEAST_HEIGHT = 280;
const MOST_HEIGHT = 440;

/**
 * @param {number} width of the map, in CSS pixels
 * @param {number} capacity the tokens that must fit
 * @returns {Flow}
 */
export function flowOf(width, capacity) {
  const height = Math.min(MOST_HEIGHT, Math.max(LEAST_HEIGHT, width / ASPECT));
  const rows = Math.max(1, Math.floor(height / (ROW_HEIGHT + GAP)));
  return { width, rows, rowTokens: Math.max(1, capacity) / rows, rowHeight: ROW_HEIGHT, gap: GAP };
}

/** @param {Flow} flow */
export function heightOf({ rows, rowHeight, gap }) {
  return rows * (rowHeight + gap);
}

/**
 * The rectangles of what lies from one place to another, in tokens: one for each row that it touches.
 * @param {Flow} flow
 * @param {number} from
 * @param {number} to
 * @param {(rectangle: Rectangle) => void} each
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
 * The piece in which a cell is most to be seen, for the ring around it and its tooltip; of a cell without tokens, its place.
 * @param {Flow} flow
 * @param {number} from
 * @param {number} to
 * @returns {Rectangle}
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

/**
 * The place in tokens under a point; null outside of the rows.
 * @param {Flow} flow
 * @param {number} x
 * @param {number} y
 */
export function placeAt({ width, rows, rowTokens, rowHeight, gap }, x, y) {
  const row = Math.floor(y / (rowHeight + gap));
  if (row < 0 || row >= rows || x < 0 || x >= width) return null;
  return row * rowTokens + (x / width) * rowTokens;
}

/**
 * The cell that covers a place: the last one that begins there or ahead of it and has tokens.
 * @param {Float64Array} starts as in a `Window`
 * @param {number} place
 * @returns {number} -1 behind the last cell
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
