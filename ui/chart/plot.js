// @ts-check
/**
 * An SVG plot over requests: scales, axes, and series of values by request as paths. All lengths are in CSS pixels. A
 * request is an index in `thread.requests`.
 * @import { RequestPicture } from '../picture.js'
 * @import { Words } from '../picture/words.js'
 * @typedef {{ left: number, width: number, count: number }} XScale `count` requests side by side with equal width
 * @typedef {XScale & { top: number, height: number, max: number }} Scale the value `max` is drawn at `top`, 0 at
 *   `top + height`
 * @typedef {{ hover: (request: number | null) => void, choose: (request: number) => void }} PanelHost `hover` gets null
 *   when the pointer leaves
 */
import { rounded, setAttributes, svg } from '../base/dom.js';

/** Space for the value labels. */ const LEFT = 56;
/** Space for half of the last request's label. */ const RIGHT = 12;
/** Space for the request labels. */ const AXIS_HEIGHT = 22;
/** Minimum distance between request labels. */ const MIN_LABEL_DISTANCE = 64;

/** The drawing, and a cursor over it. It has few nodes, however many requests there are: values are drawn as paths. */
export class Panel {
  #drawing = svg('g');
  #cursor = svg('rect.cursor', { y: 0 });
  element = svg('svg.panel', { role: 'img' }, this.#drawing, this.#cursor);
  /** @type {Scale} */ #scale = { left: LEFT, width: 1, count: 0, top: 0, height: 1, max: 1 };

  /** @param {string} part @param {number} height @param {number} top space above the values @param {PanelHost} host */
  constructor(part, height, top, { hover, choose }) {
    this.height = height;
    this.top = top;
    setAttributes(this.element, { part, height });
    setAttributes(this.#cursor, { height });
    const requestUnder = (/** @type {MouseEvent} */ event) =>
      requestAt(this.#scale, event.clientX - this.element.getBoundingClientRect().left);
    this.element.addEventListener('pointermove', (event) => this.#scale.count > 0 && hover(requestUnder(event)));
    this.element.addEventListener('pointerleave', () => hover(null));
    this.element.addEventListener('click', (event) => this.#scale.count > 0 && choose(requestUnder(event)));
  }

  /** @param {number} width @param {number} count of requests @param {number} max the largest value */
  resize(width, count, max) {
    const { top, height } = this;
    setAttributes(this.element, { width });
    const plotWidth = Math.max(1, width - LEFT - RIGHT);
    this.#scale = { left: LEFT, width: plotWidth, count, top, height: height - top - AXIS_HEIGHT, max };
    return this.#scale;
  }

  /**
   * Replaces the drawing. @param {Words} words @param {string} label for screen readers
   * @param {{ value: number, text: string }[]} values to label @param {...Node} nodes between the axes
   */
  draw(words, label, values, ...nodes) {
    const scale = this.#scale;
    const { left, width, count } = scale;
    setAttributes(this.element, { 'aria-label': label });
    const grid = values.flatMap(({ value, text }) => {
      const y = Math.round(yOf(scale, value)) + 0.5;
      return [
        svg('line.grid', { x1: left, x2: left + width, y1: y, y2: y }),
        svg('text.tick', { x: left - 6, y: y + 4, 'text-anchor': 'end' }, text),
      ];
    });
    const maxLabels = Math.max(2, Math.floor(width / MIN_LABEL_DISTANCE));
    const requests = requestTicks(count, maxLabels).map((request) => {
      const x = (xOf(scale, request) + xOf(scale, request + 1)) / 2;
      return svg('text.tick', { x, y: this.height - 6, 'text-anchor': 'middle' }, words.number(request + 1));
    });
    this.#drawing.replaceChildren(...grid, ...nodes, ...requests);
  }

  /** @param {number} request */
  moveCursor(request) {
    const x = xOf(this.#scale, request);
    setAttributes(this.#cursor, { x, width: Math.max(2, xOf(this.#scale, request + 1) - x) });
  }
}

/** The left edge of a request. @param {XScale} xScale @param {number} request */
export function xOf({ left, width, count }, request) {
  return left + (width * request) / Math.max(1, count);
}

/** @param {Scale} scale @param {number} value */
export function yOf({ top, height, max }, value) {
  return top + height * (1 - value / max);
}

/** The request at a horizontal position, or the nearest one. @param {XScale} xScale @param {number} x */
export function requestAt({ left, width, count }, x) {
  const request = Math.floor(((x - left) / width) * count);
  return Math.min(count - 1, Math.max(0, request));
}

/** Ticks 1, 2, 2.5 or 5 times a power of ten apart, to `max` or more. @param {number} max @param {number} maxSteps */
export function ticks(max, maxSteps) {
  if (!(max > 0)) return [0, 1];
  const minStep = max / maxSteps;
  const power = 10 ** Math.floor(Math.log10(minStep));
  const step = ([1, 2, 2.5, 5].find((factor) => factor * power >= minStep * (1 - 1e-9)) ?? 10) * power;
  const count = Math.ceil(max / step - 1e-9);
  // Repeated addition would yield 0.30000000000000004.
  return Array.from({ length: count + 1 }, (_, index) => Number((index * step).toPrecision(12)));
}

/** Requests to label: the first one, and those with round numbers. @param {number} count @param {number} maxLabels */
export function requestTicks(count, maxLabels) {
  const step = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000].find((one) => count / one <= maxLabels) ?? 10_000;
  const requests = [];
  for (let number = step; number <= count; number += step) requests.push(number - 1);
  return requests[0] === 0 || count === 0 ? requests : [0, ...requests];
}

/**
 * Stacked upper edges of the kinds that occur, bottom to top; `kind`: index in the picture's `kinds`.
 * @param {RequestPicture[]} requests @param {number} kindCount @returns {{ kind: number, tops: Float64Array }[]}
 */
export function stack(requests, kindCount) {
  const layers = [];
  let below = new Float64Array(requests.length);
  for (let kind = 0; kind < kindCount; kind++) {
    if (!requests.some((request) => (request.tokensByKind[kind] ?? 0) > 0)) continue;
    const tops = below.map((sum, request) => sum + (requests[request]?.tokensByKind[kind] ?? 0));
    layers.push({ kind, tops });
    below = tops;
  }
  return layers;
}

/** The largest known value, or 0. @param {(number | null)[][]} series */
export function largest(series) {
  return series.flat().reduce((/** @type {number} */ max, value) => Math.max(max, value ?? 0), 0);
}

/**
 * The area between two series, or the base line. It is stepped, as a line is: a slope between two requests would show
 * token counts that never existed.
 * @param {Scale} scale @param {ArrayLike<number>} tops @param {ArrayLike<number> | null} bottoms
 */
export function areaPath(scale, tops, bottoms) {
  const count = tops.length;
  if (count === 0) return '';
  let path = `M${rounded(xOf(scale, 0))} ${rounded(yOf(scale, tops[0] ?? 0))}`;
  for (let request = 0; request < count; request++) {
    path += `V${rounded(yOf(scale, tops[request] ?? 0))}H${rounded(xOf(scale, request + 1))}`;
  }
  for (let request = count - 1; request >= 0; request--) {
    path += `V${rounded(yOf(scale, bottoms?.[request] ?? 0))}H${rounded(xOf(scale, request))}`;
  }
  return `${path}Z`;
}

/** A stepped line; null: a gap. @param {Scale} scale @param {(number | null)[]} values */
export function linePath(scale, values) {
  let path = '';
  values.forEach((value, request) => {
    if (value === null) return;
    const y = rounded(yOf(scale, value));
    const isAfterGap = (values[request - 1] ?? null) === null;
    path += isAfterGap ? `M${rounded(xOf(scale, request))} ${y}` : `V${y}`;
    path += `H${rounded(xOf(scale, request + 1))}`;
  });
  return path;
}
