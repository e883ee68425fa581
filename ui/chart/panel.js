// @ts-check
/**
 * An SVG plot over requests with a cursor. It has few nodes, however many requests there are, because values are drawn
 * as paths.
 *
 * @import { XScale } from './plot.js'
 * @typedef {object} PanelHost
 * @property {(request: number | null) => void} hover gets the request under the pointer; null when the pointer leaves
 * @property {(request: number) => void} choose
 */
import { setAttribute, svg } from '../base/dom.js';
import { requestAt, xOf } from './plot.js';

/** Space for the value labels, CSS pixels. */
const LEFT = 56;
/** Space for half of the last request's label, CSS pixels. */
const RIGHT = 12;

export class Panel {
  #drawing = svg('g', {});
  #cursor = svg('rect', { class: 'cursor', y: 0 });
  element = svg('svg', { role: 'img', class: 'panel' }, this.#drawing, this.#cursor);
  /** @type {XScale} */ #xScale = { left: LEFT, width: 1, count: 0 };

  /** @param {string} part @param {PanelHost} host */
  constructor(part, { hover, choose }) {
    setAttribute(this.element, 'part', part);
    const requestUnder = (/** @type {MouseEvent} */ event) =>
      requestAt(this.#xScale, event.clientX - this.element.getBoundingClientRect().left);
    this.element.addEventListener('pointermove', (event) => this.#xScale.count > 0 && hover(requestUnder(event)));
    this.element.addEventListener('pointerleave', () => hover(null));
    this.element.addEventListener('click', (event) => this.#xScale.count > 0 && choose(requestUnder(event)));
  }

  /**
   * Sets the size in CSS pixels.
   * @param {number} width @param {number} height @param {number} count of requests @returns {XScale}
   */
  resize(width, height, count) {
    this.#xScale = { left: LEFT, width: Math.max(1, width - LEFT - RIGHT), count };
    setAttribute(this.element, 'width', width);
    setAttribute(this.element, 'height', height);
    setAttribute(this.#cursor, 'height', height);
    return this.#xScale;
  }

  /** Replaces the drawing. @param {string} label for screen readers @param {...Node} nodes */
  draw(label, ...nodes) {
    setAttribute(this.element, 'aria-label', label);
    this.#drawing.replaceChildren(...nodes);
  }

  /** @param {number} request */
  moveCursor(request) {
    const x = xOf(this.#xScale, request);
    const width = Math.max(2, xOf(this.#xScale, request + 1) - x);
    setAttribute(this.#cursor, 'x', x);
    setAttribute(this.#cursor, 'width', width);
  }
}
