// @ts-check
/**
 * Colours for a canvas, read from computed styles: a canvas has neither custom properties nor forced colours.
 * @import { Texture } from './palette.js'
 */
import { h } from '../base/dom.js';
import { COLOUR_NAMES, SLOTS, TEXTURE_PATHS, TILE } from './palette.js';

/** Stroke widths of textures in CSS pixels; 1 for others. @type {{ [texture: string]: number }} */
const LINE_WIDTHS = { dots: 1.5, hatch: 2 };

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

  /** Black or white, whichever has more contrast to a colour. @param {string} name */
  contrastTo(name) {
    return luminance(this.colour(name)) > 0.18 ? '#000000' : '#ffffff';
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

/** WCAG's relative luminance. @param {string} colour computed: `rgb(1, 2, 3)` */
function luminance(colour) {
  const [red = 0, green = 0, blue = 0] = (colour.match(/[\d.]+/g) ?? []).slice(0, 3).map((part) => {
    const value = Number(part) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
