// @ts-check
/**
 * The map's canvas with keyboard and screen reader support. It is a list box with only the active option in the
 * document, because thousands of options would slow down every step of the slider.
 *
 * @import { Scene } from './paint.js'
 * @import { Inks } from '../picture/inks.js'
 * @typedef {object} SurfaceHost
 * @property {(place: number) => string} nameOf
 * @property {(place: number | null) => void} read gets the hovered or focused cell; null when it is left
 * @property {(place: number) => void} activate
 */
import { h, setAttribute } from '../base/dom.js';
import { cellAt, heightOf, largestPiece, placeAt } from './flow.js';
import { paint } from './paint.js';

/** Number of cells that Page Up and Page Down move by. */
const PAGE = 20;

export class Surface {
  canvas = h('canvas', { 'aria-hidden': 'true' });
  list = h('div', { class: 'list', part: 'map', role: 'listbox', tabindex: 0 });
  element = h('div', { class: 'surface' }, this.canvas, this.list);
  /** @type {Scene | null} */
  #scene = null;
  /** Index of the cell that has the keyboard focus. */
  #active = 0;
  /** @type {number | null} */
  #opened = null;
  #host;
  #inks;

  /** @param {SurfaceHost} host @param {Inks} inks */
  constructor(host, inks) {
    this.#host = host;
    this.#inks = inks;
    this.list.addEventListener('keydown', (event) => this.#pressed(event));
    this.list.addEventListener('focus', () => this.#read());
    this.list.addEventListener('blur', () => this.#left());
    this.list.addEventListener('pointermove', (event) => this.#pointed(event));
    this.list.addEventListener('pointerleave', () => this.#left());
    this.list.addEventListener('click', (event) => this.#clicked(event));
  }

  /** @param {Scene} scene */
  draw(scene) {
    this.#scene = scene;
    const ratio = globalThis.devicePixelRatio || 1;
    const [width, height] = [scene.flow.width, heightOf(scene.flow)];
    if (this.canvas.width !== Math.round(width * ratio) || this.canvas.height !== Math.round(height * ratio)) {
      this.canvas.width = Math.round(width * ratio);
      this.canvas.height = Math.round(height * ratio);
      this.canvas.style.height = `${height}px`;
    }
    const context = this.canvas.getContext('2d');
    if (context !== null) paint(context, scene, this.#inks, ratio);
    const count = scene.window.cells.length;
    this.#active = Math.max(0, Math.min(this.#active, count - 1));
    this.#left();
  }

  /** @param {number | null} place index in the window */
  markOpened(place) {
    if (this.#opened === place) return;
    this.#opened = place;
    this.#showOption(this.#active, this.#isFocused());
  }

  /** @param {number} place index in the window */
  moveTo(place) {
    if (this.#scene === null) return;
    this.#active = Math.max(0, Math.min(place, this.#scene.window.cells.length - 1));
    this.#read();
  }

  #isFocused() {
    const root = this.list.getRootNode();
    return root instanceof ShadowRoot && root.activeElement === this.list;
  }

  #read() {
    this.#showOption(this.#active, true);
    this.#host.read(this.#active);
  }

  #left() {
    if (this.#isFocused()) return this.#read();
    this.#showOption(this.#active, false);
    this.#host.read(null);
  }

  /**
   * Creates a new option for each cell: screen readers announce a new active option, but not a changed one.
   * @param {number} place @param {boolean} isRinged
   */
  #showOption(place, isRinged) {
    const scene = this.#scene;
    if (scene === null || scene.window.cells.length === 0) {
      this.list.removeAttribute('aria-activedescendant');
      return this.list.replaceChildren();
    }
    const { starts, cells } = scene.window;
    const { x, y, width, height } = largestPiece(scene.flow, starts[place] ?? 0, starts[place + 1] ?? 0);
    const option = h(
      'div',
      {
        id: `cell-${place}`,
        class: isRinged ? 'option ringed' : 'option',
        role: 'option',
        'aria-selected': String(place === this.#opened),
        'aria-posinset': place + 1,
        'aria-setsize': cells.length,
      },
      h('span', { class: 'visually-hidden' }, this.#host.nameOf(place)),
    );
    option.style.translate = `${x}px ${y}px`;
    option.style.width = `${Math.max(6, width)}px`;
    option.style.height = `${height}px`;
    this.list.replaceChildren(option);
    setAttribute(this.list, 'aria-activedescendant', option.id);
  }

  /** @param {PointerEvent | MouseEvent} event @returns {number} -1 if there is no cell */
  #under(event) {
    if (this.#scene === null) return -1;
    const box = this.list.getBoundingClientRect();
    const place = placeAt(this.#scene.flow, event.clientX - box.left, event.clientY - box.top);
    return place === null ? -1 : cellAt(this.#scene.window.starts, place);
  }

  /** @param {PointerEvent} event */
  #pointed(event) {
    const place = this.#under(event);
    if (place < 0) return this.#left();
    this.#showOption(place, true);
    this.#host.read(place);
  }

  /** @param {MouseEvent} event */
  #clicked(event) {
    const place = this.#under(event);
    if (place < 0) return;
    this.#active = place;
    this.#host.activate(place);
  }

  /** @param {KeyboardEvent} event */
  #pressed(event) {
    if (this.#scene === null || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      this.#host.activate(this.#active);
      return;
    }
    const place = this.#placeFor(event.key, this.#scene);
    if (place === null) return;
    event.preventDefault();
    this.moveTo(place);
  }

  /** @param {string} key @param {Scene} scene @returns {number | null} */
  #placeFor(key, { flow, window: { starts, cells } }) {
    const active = this.#active;
    const middle = ((starts[active] ?? 0) + (starts[active + 1] ?? 0)) / 2;
    if (key === 'ArrowRight') return active + 1;
    if (key === 'ArrowLeft') return active - 1;
    if (key === 'Home') return 0;
    if (key === 'End') return cells.length - 1;
    if (key === 'PageDown') return active + PAGE;
    if (key === 'PageUp') return active - PAGE;
    // One press leaves a cell, even if it spans several rows.
    if (key === 'ArrowDown')
      return otherRow(starts, Math.max(middle + flow.rowTokens, starts[active + 1] ?? 0), active);
    if (key === 'ArrowUp')
      return otherRow(starts, Math.min(middle - flow.rowTokens, (starts[active] ?? 0) - 1), active);
    return null;
  }
}

/** @param {Float64Array} starts @param {number} place in tokens @param {number} active */
function otherRow(starts, place, active) {
  const found = cellAt(starts, place);
  return found < 0 ? active : found;
}
