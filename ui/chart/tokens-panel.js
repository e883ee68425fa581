// @ts-check
/**
 * Tokens of each request as areas by kind, a line for what `ContextView` sends, the signs of events, and the legend.
 * @import { SessionPicture, ThreadPicture } from '../picture.js'
 * @import { Words } from '../picture/words.js'
 * @import { Money } from './costs.js'
 * @import { PictureEvent, Sign, SignSum } from './events.js'
 * @import { Panel, Scale } from './plot.js'
 */
import { h, svg } from '../base/dom.js';
import { slotOfKind, textureDefinitions, textureFill } from '../picture/palette.js';
import { kindName } from '../picture/words.js';
import { isCacheLoss, signName, signPath } from './events.js';
import { areaPath, largest, linePath, stack, ticks, xOf, yOf } from './plot.js';

// All sizes are in CSS pixels.
/** Two lanes of signs above the areas; the lower one has the cache losses. */ export const LANES_HEIGHT = 30;
const UPPER_LANE_CENTRE = 8;
const LOWER_LANE_CENTRE = 22;
/** Minimum height of an area for its name. */ const NAME_HEIGHT = 15;
const MIN_WIDTH_WITH_NAMES = 300;
/** Approximate widths. */ const LATIN_LETTER_WIDTH = 6.5;
const CHINESE_CHARACTER_WIDTH = 12;

/**
 * @param {Panel} panel @param {number} width CSS pixels
 * @param {{ words: Words, picture: SessionPicture, thread: ThreadPicture, events: PictureEvent[] }} data
 */
export function drawTokens(panel, width, { words, picture, thread, events }) {
  const { requests } = thread;
  const sent = requests.map(({ tokens }) => tokens);
  const view = requests.map(({ tokensView }) => tokensView);
  const max = largest([sent]);
  const min = sent.reduce((smallest, tokens) => Math.min(smallest, tokens), max);
  const values = ticks(Math.max(max, largest([view])), 5);
  const scale = panel.resize(width, requests.length, values.at(-1) ?? 1);
  const viewLine = linePath(scale, view);
  panel.draw(
    words,
    words.chartLabel(words.number(requests.length), words.number(min), words.number(max)),
    values.map((value) => ({ value, text: words.shortNumber(value) })),
    textureDefinitions(),
    ...areasWithNames(scale, words, picture, thread),
    svg('path.view-halo', { d: viewLine }),
    svg('path.view-line', { d: viewLine }),
    ...signPaths(scale, events),
  );
}

/**
 * The areas of the kinds, each with its name where it is highest.
 * @param {Scale} scale @param {Words} words @param {SessionPicture} picture @param {ThreadPicture} thread
 */
function areasWithNames(scale, words, { kinds }, { requests }) {
  /** @type {Float64Array | null} */ let below = null;
  const areas = [];
  /** @type {Name[]} */ const names = [];
  for (const { kind, tops } of stack(requests, kinds.length)) {
    const name = kinds[kind] ?? '';
    const slot = slotOfKind(name);
    const d = areaPath(scale, tops, below);
    areas.push(svg('path.area', { 'data-slot': slot, d }));
    const texture = textureFill(slot);
    if (texture !== null) areas.push(svg('path.texture', { fill: texture, d }));
    const highest = highestAt(tops, below);
    const [top, bottom] = [yOf(scale, tops[highest] ?? 0), yOf(scale, below?.[highest] ?? 0)];
    if (bottom - top >= NAME_HEIGHT && scale.width > MIN_WIDTH_WITH_NAMES) {
      const placed = placedName(scale, highest, (top + bottom) / 2, kindName(words.kinds, name));
      const { left, right, y } = placed;
      // Names can overlap when areas rise and fall; skip those, since the legend has them.
      if (!names.some((other) => left < other.right && other.left < right && Math.abs(y - other.y) < NAME_HEIGHT))
        names.push(placed);
    }
    below = tops;
  }
  return [...areas, ...names.map(({ element }) => element)];
}

/** @typedef {{ left: number, right: number, y: number, element: SVGElement }} Name of an area; `y`: its centre */

/**
 * The name left of a request's right edge, or right of its left edge if it would leave the plot.
 * @param {Scale} scale @param {number} request @param {number} y @param {string} text @returns {Name}
 */
function placedName(scale, request, y, text) {
  const width = text.length * (/[\u3000-\u9fff]/.test(text) ? CHINESE_CHARACTER_WIDTH : LATIN_LETTER_WIDTH);
  const right = Math.min(scale.left + scale.width - 4, xOf(scale, request + 1) - 4);
  const isRightAligned = right - width > scale.left;
  const left = isRightAligned ? right - width : xOf(scale, request) + 4;
  const [x, anchor] = isRightAligned ? [right, 'end'] : [left, 'start'];
  return { left, right: left + width, y, element: svg('text.name', { y: y + 4, x, 'text-anchor': anchor }, text) };
}

/** The last request at which an area is highest. @param {Float64Array} tops @param {Float64Array | null} below */
function highestAt(tops, below) {
  let highest = 0;
  let maxHeight = -1;
  tops.forEach((top, request) => {
    const height = top - (below?.[request] ?? 0);
    if (height >= maxHeight) [highest, maxHeight] = [request, height];
  });
  return highest;
}

/** One path for each sign, and a line at each compaction. @param {Scale} scale @param {PictureEvent[]} events */
function signPaths(scale, events) {
  /** @type {Map<Sign, string>} */ const paths = new Map();
  let compactions = '';
  for (const { request, signs } of events) {
    const [left, right] = [xOf(scale, request), xOf(scale, request + 1)];
    for (const sign of signs) {
      const path = signPath(sign, (left + right) / 2, isCacheLoss(sign) ? LOWER_LANE_CENTRE : UPPER_LANE_CENTRE);
      paths.set(sign, (paths.get(sign) ?? '') + path);
    }
    if (signs.includes('begins compaction')) compactions += `M${Math.round(left)} 14V${scale.top + scale.height}`;
  }
  const line = compactions === '' ? [] : [svg('path.compaction-line', { d: compactions })];
  return [...line, ...[...paths].map(([sign, d]) => svg('path', { class: isCacheLoss(sign) ? 'loss' : 'begin', d }))];
}

/** Kinds with the selected request's tokens, and the signs of events with their sums. */
export class KindLegend {
  #kinds = h('ul.legend', { part: 'legend' });
  #signs = h('ul.legend.marks', { part: 'marks' });
  element = h('div', this.#kinds, this.#signs);
  /** `kind`: index in the picture's kinds. @type {{ kind: number, amount: HTMLElement }[]} */ #entries = [];
  /** Tokens of the selected request as `ContextView` sends it. */ #viewAmount = h('span.amount');

  /** @param {Words} words @param {SessionPicture} picture @param {ThreadPicture} thread */
  buildKinds(words, { kinds }, { requests }) {
    const layers = stack(requests, kinds.length).reverse();
    this.#entries = layers.map(({ kind }) => ({ kind, amount: h('span.amount') }));
    const items = this.#entries.map(({ kind, amount }) => {
      const name = kinds[kind] ?? '';
      return h('li.mark', swatchOf(slotOfKind(name)), kindName(words.kinds, name), amount);
    });
    const line = sample(svg('path.view-line', { d: 'M0 7H18' }));
    this.#kinds.setAttribute('aria-label', words.legend);
    this.#kinds.replaceChildren(...items, h('li.mark', line, words.viewLine, this.#viewAmount));
  }

  /** @param {Words} words @param {SignSum[]} sums @param {Money | null} money */
  buildSigns(words, sums, money) {
    this.#signs.hidden = sums.length === 0;
    this.#signs.setAttribute('aria-label', words.marks);
    this.#signs.replaceChildren(
      ...sums.map(({ sign, count, tokens, cost }) => {
        const shape = sample(svg('path', { class: isCacheLoss(sign) ? 'loss' : 'begin', d: signPath(sign, 9, 7) }));
        const costText = money === null ? words.shortNumber(cost) : money.format(cost);
        const times = words.number(count);
        const sum = isCacheLoss(sign) ? words.cacheLossSum(times, words.shortNumber(tokens), costText) : `${times}×`;
        return h('li.mark', shape, signName(words, sign), h('span.amount', sum));
      }),
    );
  }

  /** Shows the amounts of a request. @param {Words} words @param {ThreadPicture} thread @param {number} request */
  showRequest(words, { requests }, request) {
    const { tokensByKind = [], tokensView = 0 } = requests[request] ?? {};
    for (const { kind, amount } of this.#entries) amount.textContent = words.shortNumber(tokensByKind[kind] ?? 0);
    this.#viewAmount.textContent = words.shortNumber(tokensView);
  }
}

/** A small drawing in the legend. @param {...(Node | false)} nodes */
function sample(...nodes) {
  return svg('svg.swatch', { width: 18, height: 14, 'aria-hidden': 'true' }, ...nodes);
}

/** @param {string} slot */
function swatchOf(slot) {
  const rectangle = { width: 18, height: 14, rx: 2 };
  const texture = textureFill(slot);
  const plain = svg('rect.area', { 'data-slot': slot, ...rectangle });
  return sample(plain, texture !== null && svg('rect.texture', { fill: texture, ...rectangle }));
}
