// @ts-check
/**
 * Draws the map on a canvas: each step of the slider draws thousands of rectangles, which as DOM nodes would take
 * several frames. A piece is the part of a cell in one row.
 * @import { Layout, Rectangle } from './layout.js'
 * @import { Inks } from '../picture/palette.js'
 * @import { RequestCells } from '../picture/request-cells.js'
 * @typedef {(place: number) => string} TextOf gets the place of a cell in the request
 * @typedef {{ layout: Layout, requestCells: RequestCells, slotOf: TextOf, labelOf: TextOf,
 *   isDimmed: (place: number) => boolean }} Scene `slotOf`: name of the colour of a cell
 * @typedef {{ fill: string, ink: string, texture: CanvasPattern | null }} CellStyle `ink`: colour of text and texture
 */
import { TINTS } from '../picture/palette.js';
import { CLEARED, PENDING, REPLACED, WITH_REFERENCES } from '../picture/request-cells.js';
import { eachPiece, heightOf, largestPiece } from './layout.js';

const FONT = '11px system-ui, "Noto Sans SC", "Microsoft YaHei", sans-serif';
// Minimum widths for a label, for a gap between cells, and for a texture, CSS pixels.
const LABEL_WIDTH = 44;
const SEPARATE_WIDTH = 4;
const TEXTURE_WIDTH = 6;
/** Opacity of textures, relative to the cell's. */ const TEXTURE_ALPHA = 0.45;
/** Opacity of cells that are not of the class shown alone. */ const DIMMED_ALPHA = 0.15;
/** Minimum width of a removed cell, CSS pixels: a placeholder is so small that its hatching would be invisible. */ const REMOVED_WIDTH = 4;
/** Height of the lines under cached cells and at the top of cells with references, CSS pixels. */ const LINE_HEIGHT = 3;
/** A tool's name and a path, as in `Read: /src/lib.rs`. */
const TOOL_AND_PATH = /^([^\s/\\]{1,24}:? )(?=\S*[/\\])\S+$/;

/** @param {CanvasRenderingContext2D} context @param {Scene} scene @param {Inks} inks @param {number} ratio of pixels */
export function paint(context, scene, inks, ratio) {
  const { layout, requestCells } = scene;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, layout.width, heightOf(layout));
  const brush = new Brush(context, inks, ratio);
  for (let row = 0; row < layout.rows; row++) {
    brush.fill('ink-ground', 0, row * (layout.rowHeight + layout.gap), layout.width, layout.rowHeight);
  }
  const places = [...requestCells.indexes.keys()];
  for (const place of places) paintCell(brush, scene, place);
  context.globalAlpha = 1;
  // Draw marks after all cells, so that neighbours don't cover them.
  for (const place of places) paintMark(brush, scene, place);
  for (const place of places) paintLabel(brush, scene, place);
  const cachedTokens = requestCells.starts[requestCells.cachedCount] ?? 0;
  eachPiece(layout, 0, cachedTokens, ({ x, y, width, height }) =>
    brush.fill('ink-cached', x, y + height + 1, width, LINE_HEIGHT),
  );
  const { width, rows, rowTokens, rowHeight, gap, limit } = layout;
  if (limit === null) return;
  const row = Math.min(rows - 1, Math.ceil(limit / rowTokens) - 1);
  const x = Math.min(width - 2, ((limit - row * rowTokens) / rowTokens) * width - 1);
  brush.fill('ink-limit', Math.max(0, x), row * (rowHeight + gap) - 3, 3, rowHeight + 6);
}

/** The canvas, and the colours and textures of cells. */
export class Brush {
  /** By slot. @type {Map<string, CellStyle>} */ #styles = new Map();

  /** @param {CanvasRenderingContext2D} context @param {Inks} inks @param {number} ratio device pixels per CSS pixel */
  constructor(context, inks, ratio) {
    this.context = context;
    this.inks = inks;
    this.ratio = ratio;
    this.hatch = inks.patternOf(context, 'hatch', inks.colour('ink-surface'), ratio);
    /** Colour of the edges of cells, if their fills are all the same. */
    this.edge = inks.hasOneColour() ? inks.colour('ink-text') : null;
    context.font = FONT;
    context.textBaseline = 'middle';
  }

  /** @param {string} slot name of a cell's colour */
  styleOf(slot) {
    const known = this.#styles.get(slot);
    if (known !== undefined) return known;
    const { context, inks, ratio } = this;
    const ink = inks.contrastTo(`cell-${slot}`);
    const texture = inks.patternOf(context, TINTS[slot]?.texture ?? 'ring', ink, ratio);
    const style = { fill: inks.colour(`cell-${slot}`), ink, texture };
    this.#styles.set(slot, style);
    return style;
  }

  /** @param {string} ink its name @param {number} x @param {number} y @param {number} width @param {number} height */
  fill(ink, x, y, width, height) {
    this.context.fillStyle = this.inks.colour(ink);
    this.context.fillRect(x, y, width, height);
  }

  /** Fills with a colour and its texture. @param {string} slot @param {Rectangle} rectangle @param {number} alpha */
  fillCell(slot, { x, y, width, height }, alpha) {
    const { context } = this;
    const { fill, texture } = this.styleOf(slot);
    context.globalAlpha = alpha;
    context.fillStyle = fill;
    context.fillRect(x, y, width, height);
    if (texture === null || width < TEXTURE_WIDTH) return;
    context.globalAlpha = alpha * TEXTURE_ALPHA;
    context.fillStyle = texture;
    context.fillRect(x, y, width, height);
  }
}

/** Start and end in tokens. @param {RequestCells} cells @param {number} place @returns {[from: number, to: number]} */
function extent({ starts }, place) {
  return [/** @type {number} */ (starts[place]), /** @type {number} */ (starts[place + 1])];
}

/** @param {Brush} brush @param {Scene} scene @param {number} place */
function paintCell(brush, scene, place) {
  const { context, edge } = brush;
  const slot = scene.slotOf(place);
  const alpha = scene.isDimmed(place) ? DIMMED_ALPHA : 1;
  eachPiece(scene.layout, ...extent(scene.requestCells, place), (piece) => {
    // Leave a gap to the next cell.
    const width = piece.width > SEPARATE_WIDTH ? piece.width - 1 : piece.width;
    brush.fillCell(slot, { ...piece, width }, alpha);
    // With forced colours all cells have one colour, so only edges separate them.
    if (edge === null) return;
    context.globalAlpha = 1;
    context.strokeStyle = edge;
    context.lineWidth = 1;
    context.strokeRect(piece.x + 0.5, piece.y + 0.5, width, piece.height - 1);
  });
}

/** Draws how a cell is sent. @param {Brush} brush @param {Scene} scene @param {number} place */
function paintMark(brush, { layout, requestCells, isDimmed }, place) {
  const state = requestCells.states[place] ?? 0;
  const mark = STATE_MARKS[state];
  if (mark === undefined || isDimmed(place)) return;
  const [from, to] = extent(requestCells, place);
  const isRemoved = state === REPLACED || state === CLEARED;
  const draw = (/** @type {Rectangle} */ piece) => {
    const width = Math.min(Math.max(piece.width, REMOVED_WIDTH + 1), layout.width - piece.x + 1);
    mark(brush, isRemoved ? { ...piece, width } : piece);
  };
  // A result that is removed without a placeholder has no tokens; it gets the minimum width.
  if (to > from) eachPiece(layout, from, to, draw);
  else if (isRemoved) draw(largestPiece(layout, from, to));
}

/**
 * By state: draws the mark on a piece. The last pixel of the width is the gap to the next cell.
 * @type {{ [state: number]: (brush: Brush, piece: Rectangle) => void }}
 */
export const STATE_MARKS = {
  [PENDING]({ context, inks }, { x, y, width, height }) {
    context.strokeStyle = inks.colour('ink-pending');
    context.lineWidth = 2;
    context.strokeRect(x + 1, y + 1, Math.max(1, width - 3), height - 2);
  },
  [REPLACED]: markRemoved,
  [CLEARED]: markRemoved,
  [WITH_REFERENCES]: (brush, { x, y, width }) => brush.fill('ink-text', x, y, Math.max(1, width - 1), LINE_HEIGHT),
};

/** @param {Brush} brush @param {Rectangle} piece */
function markRemoved(brush, { x, y, width, height }) {
  if (brush.hatch !== null) {
    brush.context.fillStyle = brush.hatch;
    brush.context.fillRect(x, y, width - 1, height);
  }
  brush.fill('ink-text', x, y, width - 1, 1.5);
  brush.fill('ink-text', x, y + height - 1.5, width - 1, 1.5);
}

/** Labels the first piece with enough space. @param {Brush} brush @param {Scene} scene @param {number} place */
function paintLabel(brush, scene, place) {
  const { layout, requestCells } = scene;
  const [from, to] = extent(requestCells, place);
  if (((to - from) * layout.width) / layout.rowTokens < LABEL_WIDTH || scene.isDimmed(place)) return;
  let isLabelled = false;
  eachPiece(layout, from, to, (piece) => {
    if (isLabelled || piece.width < LABEL_WIDTH) return;
    isLabelled = true;
    const { fill, ink, texture } = brush.styleOf(scene.slotOf(place));
    const isPatterned = texture !== null || [REPLACED, CLEARED].includes(requestCells.states[place] ?? -1);
    writeLabel(brush.context, scene.labelOf(place), piece, ink, isPatterned ? fill : null);
  });
}

/**
 * @param {CanvasRenderingContext2D} context @param {string} label @param {Rectangle} piece
 * @param {string} ink @param {string | null} ground background of the text, if the cell has a texture
 */
function writeLabel(context, label, { x, y, width, height }, ink, ground) {
  if (label === '') return;
  context.save();
  context.beginPath();
  context.rect(x + 3, y, width - 8, height);
  context.clip();
  const text = shortened(context, label, width - 10);
  if (ground !== null) {
    context.fillStyle = ground;
    context.fillRect(x + 3, y + 3, context.measureText(text).width + 4, height - 6);
  }
  context.fillStyle = ink;
  context.fillText(text, x + 5, y + height / 2 + 0.5);
  context.restore();
}

/** @param {CanvasRenderingContext2D} context @param {string} label @param {number} width available width, CSS pixels */
function shortened(context, label, width) {
  // Measure only as much text as could fit.
  const text = label.slice(0, Math.ceil(width / 3));
  const measured = context.measureText(text).width;
  if (measured <= width && text.length === label.length) return text;
  const units = Math.max(1, Math.floor((text.length * (width - 14)) / measured));
  // Keep the end of a path, which distinguishes it from others.
  const tool = TOOL_AND_PATH.exec(label)?.[1] ?? '';
  if (tool === '' || units < tool.length + 3) return `${text.slice(0, units)}…`;
  return `${tool}…${label.slice(tool.length - units)}`;
}
