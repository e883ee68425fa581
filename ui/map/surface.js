// @ts-check
/**
 * The map's canvas, and over it a list box for keyboards and screen readers. Only the active cell is an option:
 * thousands would slow down every step of the slider. A place is a cell's index in the request.
 * @import { Scene } from './paint.js'
 * @import { Inks } from '../picture/palette.js'
 * @typedef {object} SurfaceHost
 * @property {Inks} inks
 * @property {(place: number) => string} nameOf
 * @property {(place: number | null) => void} describe gets the hovered or focused cell; null when it is left
 * @property {(place: number) => void} activate
 */
import { h } from '../base/dom.js';
import { heightOf, largestPiece, offsetAt, placeAt } from './layout.js';
import { paint } from './paint.js';

/** Number of cells that Page Up and Page Down move by. */ const PAGE_SIZE = 20;

export const SURFACE_STYLES = `
.surface { position: relative; }
.surface canvas { display: block; width: 100%; }
.list { position: absolute; inset: 0; overflow: hidden; cursor: pointer; }
.list:focus-visible { outline-offset: 3px; }
.option { position: absolute; inset: 0 auto auto 0; pointer-events: none; }
.option.ringed { outline: 2px solid var(--_text); outline-offset: -1px; box-shadow: 0 0 0 3px var(--_background); }
@media (forced-colors: active) { .option.ringed { outline-color: Highlight; box-shadow: none; } }
`;

export class Surface {
  canvas = h('canvas', { 'aria-hidden': 'true' });
  list = h('div.list', { part: 'map', role: 'listbox', tabindex: 0 });
  element = h('div.surface', this.canvas, this.list);
  /** @type {Scene | null} */ #scene = null;
  /** Place of the cell that has the keyboard focus. */ #active = 0;
  /** Place of the opened cell. @type {number | null} */ #opened = null;

  /** @param {SurfaceHost} host */
  constructor(host) {
    this.host = host;
    this.list.addEventListener('keydown', (event) => this.#onKey(event));
    this.list.addEventListener('focus', () => this.#show(this.#active));
    this.list.addEventListener('blur', () => this.#onLeave());
    this.list.addEventListener('pointermove', (event) => {
      const place = this.#placeUnder(event);
      if (place < 0) this.#onLeave();
      else this.#show(place);
    });
    this.list.addEventListener('pointerleave', () => this.#onLeave());
    this.list.addEventListener('click', (event) => {
      const place = this.#placeUnder(event);
      if (place < 0) return;
      this.#active = place;
      this.host.activate(place);
    });
  }

  /** Draws a request. @param {Scene} scene */
  draw(scene) {
    this.#scene = scene;
    const ratio = globalThis.devicePixelRatio || 1;
    const [width, height] = [scene.layout.width, heightOf(scene.layout)];
    const [pixelWidth, pixelHeight] = [Math.round(width * ratio), Math.round(height * ratio)];
    if (this.canvas.width !== pixelWidth || this.canvas.height !== pixelHeight) {
      Object.assign(this.canvas, { width: pixelWidth, height: pixelHeight });
      this.canvas.style.height = `${height}px`;
    }
    const context = this.canvas.getContext('2d');
    if (context !== null) paint(context, scene, this.host.inks, ratio);
    const count = scene.requestCells.indexes.length;
    this.#active = Math.max(0, Math.min(this.#active, count - 1));
    this.#onLeave();
  }

  /** Tells screen readers which cell is open. @param {number | null} place */
  markOpened(place) {
    if (this.#opened === place) return;
    this.#opened = place;
    this.#showOption(this.#active, this.#isFocused());
  }

  /** Moves the keyboard focus to a cell. @param {number} place */
  moveTo(place) {
    if (this.#scene === null) return;
    this.#active = Math.max(0, Math.min(place, this.#scene.requestCells.indexes.length - 1));
    this.#show(this.#active);
  }

  #isFocused() {
    const root = this.list.getRootNode();
    return root instanceof ShadowRoot && root.activeElement === this.list;
  }

  /** @param {number} place of the cell under the pointer or with the keyboard focus */
  #show(place) {
    this.#showOption(place, true);
    this.host.describe(place);
  }

  #onLeave() {
    if (this.#isFocused()) return this.#show(this.#active);
    this.#showOption(this.#active, false);
    this.host.describe(null);
  }

  /** A new option: screen readers don't announce a changed one. @param {number} place @param {boolean} isRinged */
  #showOption(place, isRinged) {
    const scene = this.#scene;
    if (scene === null || scene.requestCells.indexes.length === 0) {
      this.list.removeAttribute('aria-activedescendant');
      return this.list.replaceChildren();
    }
    const { starts, indexes } = scene.requestCells;
    const { x, y, width, height } = largestPiece(scene.layout, starts[place] ?? 0, starts[place + 1] ?? 0);
    const selection = { role: 'option', 'aria-selected': String(place === this.#opened) };
    const position = { id: `cell-${place}`, 'aria-posinset': place + 1, 'aria-setsize': indexes.length };
    const name = h('span.visually-hidden', this.host.nameOf(place));
    const option = h('div.option', { ...selection, ...position }, name);
    option.classList.toggle('ringed', isRinged);
    option.style.translate = `${x}px ${y}px`;
    option.style.width = `${Math.max(6, width)}px`;
    option.style.height = `${height}px`;
    this.list.replaceChildren(option);
    this.list.setAttribute('aria-activedescendant', option.id);
  }

  /** @param {PointerEvent | MouseEvent} event @returns {number} -1 if there is no cell */
  #placeUnder(event) {
    if (this.#scene === null) return -1;
    const box = this.list.getBoundingClientRect();
    const offset = offsetAt(this.#scene.layout, event.clientX - box.left, event.clientY - box.top);
    return offset === null ? -1 : placeAt(this.#scene.requestCells.starts, offset);
  }

  /** @param {KeyboardEvent} event */
  #onKey(event) {
    if (this.#scene === null || event.ctrlKey || event.metaKey || event.altKey) return;
    const { layout, requestCells } = this.#scene;
    const { starts, indexes } = requestCells;
    const active = this.#active;
    const [start, end] = [starts[active] ?? 0, starts[active + 1] ?? 0];
    const middle = (start + end) / 2;
    /** @type {{ [key: string]: number }} */ const places = {
      Enter: active,
      ' ': active,
      ArrowRight: active + 1,
      ArrowLeft: active - 1,
      Home: 0,
      End: indexes.length - 1,
      PageDown: active + PAGE_SIZE,
      PageUp: active - PAGE_SIZE,
      // One press leaves a cell, even if it spans several rows.
      ArrowDown: placeOr(active, starts, Math.max(middle + layout.rowTokens, end)),
      ArrowUp: placeOr(active, starts, Math.min(middle - layout.rowTokens, start - 1)),
    };
    const place = places[event.key];
    if (place === undefined) return;
    event.preventDefault();
    if (event.key === 'Enter' || event.key === ' ') this.host.activate(place);
    else this.moveTo(place);
  }
}

/** The cell at an offset, else `place`. @param {number} place @param {Float64Array} starts @param {number} offset */
function placeOr(place, starts, offset) {
  const found = placeAt(starts, offset);
  return found < 0 ? place : found;
}
