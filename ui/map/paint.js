// @ts-check
/**
 * Draws the map on a canvas: each step of the slider draws thousands of rectangles, which as DOM nodes would take
 * several frames.
 *
 * @import { Flow, Rectangle } from './flow.js'
 * @import { Inks } from '../picture/inks.js'
 * @import { Window } from '../picture/window.js'
 * @typedef {object} Scene
 * @property {Flow} flow
 * @property {Window} window
 * @property {(place: number) => string} slotOf name of the colour of a cell, by its place in the window
 * @property {(place: number) => string} labelOf
 * @property {(place: number) => boolean} isDimmed
 * @property {number | null} limit tokens of the model's window; null if it isn't drawn
 */
import { TINTS } from '../picture/palette.js';
import { CLEARED, PENDING, REPLACED, SHORT } from '../picture/window.js';
import { eachPiece, heightOf, largestPiece } from './flow.js';

const FONT = '11px system-ui, "Noto Sans SC", "Microsoft YaHei", sans-serif';
/** Minimum width for a label, CSS pixels. */
const LABEL_WIDTH = 44;
/** Minimum width for a gap between cells, CSS pixels. */
const SEPARATE_WIDTH = 4;
/** Minimum width for a texture, CSS pixels. */
const TEXTURE_WIDTH = 6;
/** Minimum width of a replaced cell, CSS pixels: a placeholder is so small that its hatching would be invisible. */
const REPLACED_WIDTH = 4;
/** Height of the line under cached cells, CSS pixels. */
const CACHED_HEIGHT = 3;
/** Height of the mark at the top of a cell that is sent with references, CSS pixels. */
const REFERENCES_HEIGHT = 3;
/** A tool's name and a path, as in `Read: /src/lib.rs`. */
const TOOL_AND_PATH = /^([^\s/\\]{1,24}:? )(?=\S*[/\\])\S+$/;

/**
 * Draws a request.
 * @param {CanvasRenderingContext2D} context @param {Scene} scene @param {Inks} inks
 * @param {number} ratio device pixels per CSS pixel
 */
export function paint(context, scene, inks, ratio) {
  const { flow, window } = scene;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, flow.width, heightOf(flow));
  context.fillStyle = inks.colour('ink-ground');
  for (let row = 0; row < flow.rows; row++) {
    context.fillRect(0, row * (flow.rowHeight + flow.gap), flow.width, flow.rowHeight);
  }
  const brush = new Brush(context, inks, ratio);
  const count = window.cells.length;
  for (let place = 0; place < count; place++) paintCell(brush, scene, place);
  context.globalAlpha = 1;
  // Draw marks after all cells, so that neighbours don't cover them.
  for (let place = 0; place < count; place++) {
    const state = window.states[place];
    if (scene.isDimmed(place)) continue;
    if (state === REPLACED || state === CLEARED) paintRemoved(brush, scene, place);
    else if (state === PENDING) paintPending(brush, scene, place);
    else if (state === SHORT) paintReferences(brush, scene, place);
  }
  for (let place = 0; place < count; place++) paintLabel(brush, scene, place);
  paintCached(brush, scene);
  if (scene.limit !== null) paintLimit(brush, scene, scene.limit);
}

/** The canvas, and the colours and textures of cells. */
class Brush {
  /**
   * By slot; `ink`: colour of text and texture.
   * @type {Map<string, { fill: string, ink: string, texture: CanvasPattern | null }>}
   */
  #styles = new Map();

  /** @param {CanvasRenderingContext2D} context @param {Inks} inks @param {number} ratio */
  constructor(context, inks, ratio) {
    this.context = context;
    this.inks = inks;
    this.hatch = inks.pattern(context, 'hatch', inks.colour('ink-surface'), ratio);
    this.ratio = ratio;
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
    const texture = inks.pattern(context, TINTS[slot]?.texture ?? 'ring', ink, ratio);
    const style = { fill: inks.colour(`cell-${slot}`), ink, texture };
    this.#styles.set(slot, style);
    return style;
  }
}

/**
 * Start and end of a cell in tokens.
 * @param {Window} window @param {number} place @returns {[from: number, to: number]}
 */
function extent({ starts }, place) {
  return [/** @type {number} */ (starts[place]), /** @type {number} */ (starts[place + 1])];
}

/** @param {Brush} brush @param {Scene} scene @param {number} place */
function paintCell(brush, scene, place) {
  const { context } = brush;
  const { fill, texture } = brush.styleOf(scene.slotOf(place));
  const alpha = scene.isDimmed(place) ? 0.15 : 1;
  eachPiece(scene.flow, ...extent(scene.window, place), ({ x, y, width: fullWidth, height }) => {
    // Leave a gap to the next cell.
    const width = fullWidth > SEPARATE_WIDTH ? fullWidth - 1 : fullWidth;
    context.globalAlpha = alpha;
    context.fillStyle = fill;
    context.fillRect(x, y, width, height);
    if (texture !== null && width >= TEXTURE_WIDTH) {
      context.globalAlpha = alpha * 0.45;
      context.fillStyle = texture;
      context.fillRect(x, y, width, height);
    }
    // With forced colours all cells have one colour, so only edges separate them.
    if (brush.edge === null) return;
    context.globalAlpha = 1;
    context.strokeStyle = brush.edge;
    context.lineWidth = 1;
    context.strokeRect(x + 0.5, y + 0.5, width, height - 1);
  });
}

/** @param {Brush} brush @param {Scene} scene @param {number} place */
function paintLabel(brush, scene, place) {
  const [from, to] = extent(scene.window, place);
  if (((to - from) * scene.flow.width) / scene.flow.rowTokens < LABEL_WIDTH || scene.isDimmed(place)) return;
  let isLabelled = false;
  eachPiece(scene.flow, from, to, (piece) => {
    if (isLabelled || piece.width < LABEL_WIDTH) return;
    isLabelled = true;
    const { fill, ink, texture } = brush.styleOf(scene.slotOf(place));
    const isPatterned = texture !== null || [REPLACED, CLEARED].includes(scene.window.states[place] ?? -1);
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

/** @param {CanvasRenderingContext2D} context @param {string} label @param {number} width available width */
function shortened(context, label, width) {
  // Measure only as much text as could fit.
  const text = label.slice(0, Math.ceil(width / 3));
  const measured = context.measureText(text).width;
  if (measured <= width && text.length === label.length) return text;
  const units = Math.max(1, Math.floor((text.length * (width - 14)) / measured));
  // Keep the end of a path, which distinguishes it from others.
  const tool = TOOL_AND_PATH.exec(label)?.[1] ?? '';
  return tool === '' || units < tool.length + 3
    ? `${text.slice(0, units)}…`
    : `${tool}…${label.slice(tool.length - units)}`;
}

/** @param {Brush} brush @param {Scene} scene @param {number} place */
function paintRemoved({ context, hatch, inks }, scene, place) {
  const [from, to] = extent(scene.window, place);
  const draw = (/** @type {Rectangle} */ { x, y, width, height }) => {
    const drawnWidth = Math.min(Math.max(width - 1, REPLACED_WIDTH), scene.flow.width - x);
    if (hatch !== null) {
      context.fillStyle = hatch;
      context.fillRect(x, y, drawnWidth, height);
    }
    context.fillStyle = inks.colour('ink-text');
    context.fillRect(x, y, drawnWidth, 1.5);
    context.fillRect(x, y + height - 1.5, drawnWidth, 1.5);
  };
  // A result that is removed without a placeholder has no tokens; it gets the minimum width.
  if (to > from) eachPiece(scene.flow, from, to, draw);
  else draw(largestPiece(scene.flow, from, to));
}

/** @param {Brush} brush @param {Scene} scene @param {number} place */
function paintPending({ context, inks }, scene, place) {
  context.strokeStyle = inks.colour('ink-pending');
  context.lineWidth = 2;
  eachPiece(scene.flow, ...extent(scene.window, place), ({ x, y, width, height }) => {
    context.strokeRect(x + 1, y + 1, Math.max(1, width - 3), height - 2);
  });
}

/** @param {Brush} brush @param {Scene} scene @param {number} place */
function paintReferences({ context, inks }, scene, place) {
  context.fillStyle = inks.colour('ink-text');
  eachPiece(scene.flow, ...extent(scene.window, place), ({ x, y, width }) => {
    context.fillRect(x, y, Math.max(1, width - 1), REFERENCES_HEIGHT);
  });
}

/** @param {Brush} brush @param {Scene} scene */
function paintCached({ context, inks }, { flow, window }) {
  context.fillStyle = inks.colour('ink-cached');
  eachPiece(flow, 0, window.starts[window.cachedCount] ?? 0, ({ x, y, width, height }) => {
    context.fillRect(x, y + height + 1, width, CACHED_HEIGHT);
  });
}

/** @param {Brush} brush @param {Scene} scene @param {number} limit */
function paintLimit({ context, inks }, { flow }, limit) {
  const row = Math.min(flow.rows - 1, Math.ceil(limit / flow.rowTokens) - 1);
  const x = Math.min(flow.width - 2, ((limit - row * flow.rowTokens) / flow.rowTokens) * flow.width - 1);
  const y = row * (flow.rowHeight + flow.gap);
  context.fillStyle = inks.colour('ink-limit');
  context.fillRect(Math.max(0, x), y - 3, 3, flow.rowHeight + 6);
}
