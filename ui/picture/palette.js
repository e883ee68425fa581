// @ts-check
/**
 * Colours and textures of cells, as CSS, as SVG patterns and for a canvas. Any two colours stay distinguishable under
 * three simulated kinds of colour blindness, which a test checks; textures carry the same information.
 * @typedef {'plain' | 'dots' | 'upright' | 'level' | 'grid' | 'ring'} Texture
 * @typedef {{ light: string, dark: string, texture: Texture }} Tint
 */
import { h, svg } from '../base/dom.js';

/** By slot, the name of a cell's colour: a kind of content, or a tool's rank. @type {Record<string, Tint>} */
export const TINTS = {
  fixed: { light: '#bac8b6', dark: '#615b68', texture: 'plain' },
  system: { light: '#5c6e6e', dark: '#bbada5', texture: 'plain' },
  user: { light: '#315686', dark: '#3f72e6', texture: 'plain' },
  assistant: { light: '#5e9aeb', dark: '#869ef9', texture: 'plain' },
  reasoning: { light: '#88c3ef', dark: '#9dbdf2', texture: 'dots' },
  call: { light: '#353285', dark: '#504abd', texture: 'upright' },
  result: { light: '#dfac3a', dark: '#ddb450', texture: 'plain' },
  image: { light: '#c338b8', dark: '#c94bac', texture: 'grid' },
  summary: { light: '#13152e', dark: '#f4f6f9', texture: 'level' },
  other: { light: '#928989', dark: '#7d746f', texture: 'ring' },
  'tool-1': { light: '#5da044', dark: '#5ca172', texture: 'plain' },
  'tool-2': { light: '#a06018', dark: '#e67b22', texture: 'plain' },
  'tool-3': { light: '#7d6be5', dark: '#c984c1', texture: 'level' },
  'tool-4': { light: '#7b4a17', dark: '#a06e2f', texture: 'dots' },
  'tool-5': { light: '#88b18b', dark: '#87ded6', texture: 'upright' },
  'tool-6': { light: '#611803', dark: '#854b01', texture: 'grid' },
  'tool-other': { light: '#928989', dark: '#7d746f', texture: 'plain' },
};

/** Names of the cells' colours. */ export const SLOTS = Object.keys(TINTS);

/** Name of the colour of a kind of content. A later version may add kinds. @param {string} kind */
export function slotOfKind(kind) {
  return SLOTS.includes(kind) ? kind : 'other';
}

/** Colours of cells, texts, marks and backgrounds. @type {[name: string, normal: string, forced: string][]} */
const COLOURS = [
  ...Object.entries(TINTS).map(([slot, { light, dark }]) => {
    const normal = `var(--palimpsest-cell-${slot}, light-dark(${light}, ${dark}))`;
    return /** @type {[string, string, string]} */ ([`cell-${slot}`, normal, 'Canvas']);
  }),
  ['ink-surface', 'var(--_background)', 'CanvasText'],
  ['ink-ground', 'var(--palimpsest-map-ground, light-dark(#eef1f4, #1f242c))', 'Canvas'],
  ['ink-text', 'var(--_text)', 'CanvasText'],
  ['ink-pending', 'var(--palimpsest-pending, light-dark(#b00020, #ff6b6b))', 'Highlight'],
  ['ink-cached', 'var(--palimpsest-cached, light-dark(#0b57b0, #7db4ff))', 'CanvasText'],
  ['ink-limit', 'var(--palimpsest-limit, light-dark(#b00020, #ff6b6b))', 'Highlight'],
];

const COLOUR_NAMES = COLOURS.map(([name]) => name);

/** CSS of the colours, and of the probe elements from which a canvas reads them. */
export const PALETTE_RULES = `
:host { ${COLOURS.map(([name, normal]) => `--_${name}: ${normal};`).join(' ')} }
@media (forced-colors: active) { :host { ${COLOURS.map(([name, , forced]) => `--_${name}: ${forced};`).join(' ')} } }
.probes { position: absolute; width: 0; height: 0; overflow: hidden; visibility: hidden; }
.probes i { transition: color 1ms; forced-color-adjust: none; }
${COLOUR_NAMES.map((name) => `.probes i[data-name='${name}'] { color: var(--_${name}); }`).join('\n')}
`;

/** Width and height of a texture's tile, and so the distance between its strokes, CSS pixels. */ const TILE = 8;

/** SVG paths in a tile; `hatch` marks replaced cells. @type {Record<Exclude<Texture, 'plain'> | 'hatch', string>} */
const TEXTURE_PATHS = {
  dots: 'M1.25 2h1.5M5.25 6h1.5',
  upright: 'M4 0V8',
  level: 'M0 4H8',
  grid: 'M4 0V8M0 4H8',
  ring: 'M2 4a2 2 0 1 0 4 0a2 2 0 1 0 -4 0Z',
  hatch: 'M-8 8L0 0M0 8L8 0M8 8L16 0',
};

/** Value of `fill` for the texture of a cell's colour; null for plain colours. @param {string} slot */
export function textureFill(slot) {
  return (TINTS[slot]?.texture ?? 'plain') === 'plain' ? null : `url(#texture-${slot})`;
}

/** The patterns that {@link textureFill} refers to; each SVG drawing needs them. */
export function textureDefinitions() {
  const patterns = Object.entries(TINTS).map(([slot, { texture }]) => {
    if (texture === 'plain') return null;
    const size = { width: TILE, height: TILE, patternUnits: 'userSpaceOnUse' };
    return svg('pattern', { id: `texture-${slot}`, ...size }, svg('path.thread', { d: TEXTURE_PATHS[texture] }));
  });
  return svg('defs', ...patterns);
}

/** Stroke widths of textures in CSS pixels; 1 for others. @type {{ [texture: string]: number }} */
const LINE_WIDTHS = { dots: 1.5, hatch: 2 };

/** Colours for a canvas, read from computed styles: a canvas has neither custom properties nor forced colours. */
export class Inks {
  /** Probe elements that have the colours as their text colours. The owner adds this element to the shadow tree. */
  element = h('div.probes', { 'aria-hidden': 'true' });
  /** By name, such as `cell-user`. @type {Map<string, string>} */ #colours = new Map();
  /** By texture, colour and ratio. @type {Map<string, CanvasPattern | null>} */ #patterns = new Map();

  /** @param {() => void} changed called after the theme changed */
  constructor(changed) {
    this.element.append(...COLOUR_NAMES.map((name) => h('i', { 'data-name': name })));
    // No other event reports that a page changed a class on its root.
    this.element.addEventListener('transitionend', () => changed());
  }

  /** Updates the colours. Slow: call it once per drawing, not at each step of a slider. */
  readColours() {
    this.#patterns.clear();
    for (const probe of this.element.children) {
      this.#colours.set(probe.getAttribute('data-name') ?? '', getComputedStyle(probe).color);
    }
  }

  /** @param {string} name such as `cell-user` or `ink-text` */
  colour(name) {
    return this.#colours.get(name) ?? 'gray';
  }

  /** True under forced colours, which give all cells the same colour. */
  hasOneColour() {
    return SLOTS.every((slot) => this.colour(`cell-${slot}`) === this.colour(`cell-${SLOTS[0]}`));
  }

  /** Black or white, whichever has more contrast to a colour, by WCAG's relative luminance. @param {string} name */
  contrastTo(name) {
    // A computed colour is written as `rgb(1, 2, 3)`.
    const [red = 0, green = 0, blue = 0] = (this.colour(name).match(/[\d.]+/g) ?? []).slice(0, 3).map((part) => {
      const value = Number(part) / 255;
      return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.18 ? '#000000' : '#ffffff';
  }

  /**
   * A canvas fill for a texture; null for plain colours.
   * @param {CanvasRenderingContext2D} context @param {Texture | 'hatch'} texture @param {string} colour
   * @param {number} ratio device pixels per CSS pixel
   */
  patternOf(context, texture, colour, ratio) {
    const key = `${texture} ${colour} ${ratio}`;
    const known = this.#patterns.get(key);
    if (known !== undefined) return known;
    const pattern = texture === 'plain' ? null : createPattern(context, texture, colour, ratio);
    this.#patterns.set(key, pattern);
    return pattern;
  }
}

/**
 * @param {CanvasRenderingContext2D} context @param {keyof typeof TEXTURE_PATHS} texture
 * @param {string} colour @param {number} ratio device pixels per CSS pixel
 */
function createPattern(context, texture, colour, ratio) {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = Math.round(TILE * ratio);
  const tile = canvas.getContext('2d');
  if (tile === null) return null;
  tile.scale(canvas.width / TILE, canvas.width / TILE);
  tile.strokeStyle = colour;
  tile.lineWidth = LINE_WIDTHS[texture] ?? 1;
  tile.stroke(new Path2D(TEXTURE_PATHS[texture]));
  const pattern = context.createPattern(canvas, 'repeat');
  pattern?.setTransform(new DOMMatrix().scale(TILE / canvas.width));
  return pattern;
}
