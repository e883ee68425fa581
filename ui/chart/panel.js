// @ts-check
/**
 * A chart over requests. It has a few SVG nodes regardless of the number of requests, because values are drawn as
 * paths.
 *
 * @import { Band } from './scale.js'
 * @typedef {{ read: (request: number | null) => void, choose: (request: number) => void }} PanelHost
 */
import { setAttribute, svg } from '../base/dom.js';
import { requestAt, xOf } from './scale.js';

/** Space in CSS pixels for value labels, and for half of the last request's label. */
const LEFT = 56;
const RIGHT = 12;

export class Panel {
  #drawing = svg('g', {});
  #cursor = svg('rect', { class: 'cursor', y: 0 });
  element = svg('svg', { role: 'img', class: 'panel' }, this.#drawing, this.#cursor);
  /** @type {Band} */
  #band = { left: LEFT, width: 1, count: 0 };

  /** @param {string} part @param {PanelHost} host */
  constructor(part, { read, choose }) {
    setAttribute(this.element, 'part', part);
    const under = (/** @type {MouseEvent} */ event) =>
      requestAt(this.#band, event.clientX - this.element.getBoundingClientRect().left);
    this.element.addEventListener('pointermove', (event) => this.#band.count > 0 && read(under(event)));
    this.element.addEventListener('pointerleave', () => read(null));
    this.element.addEventListener('click', (event) => this.#band.count > 0 && choose(under(event)));
  }

  /** @param {number} width @param {number} height @param {number} count of requests @returns {Band} */
  size(width, height, count) {
    this.#band = { left: LEFT, width: Math.max(1, width - LEFT - RIGHT), count };
    setAttribute(this.element, 'width', width);
    setAttribute(this.element, 'height', height);
    setAttribute(this.#cursor, 'height', height);
    return this.#band;
  }

  /** @param {string} label @param {...Node} nodes */
  draw(label, ...nodes) {
    setAttribute(this.element, 'aria-label', label);
    this.#drawing.replaceChildren(...nodes);
  }

  /** @param {number} request */
  point(request) {
    const x = xOf(this.#band, request);
    const width = Math.max(2, xOf(this.#band, request + 1) - x);
    setAttribute(this.#cursor, 'x', x);
    setAttribute(this.#cursor, 'width', width);
  }
}
