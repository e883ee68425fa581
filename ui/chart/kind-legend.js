// @ts-check
/**
 * The chart's legend: kinds of content with the selected request's tokens, and the signs of events with their sums.
 *
 * @import { Language } from '../base/language.js'
 * @import { SessionPicture, ThreadPicture } from '../picture.js'
 * @import { Words } from '../picture/words.js'
 * @import { SignSum } from './events.js'
 * @import { Sign } from './glyphs.js'
 * @import { Money } from './money.js'
 */
import { h, svg } from '../base/dom.js';
import { formatCount, formatTokens } from '../base/format.js';
import { slotOfKind } from '../picture/classes.js';
import { kindName } from '../picture/words.js';
import { glyphPath, isLoss } from './glyphs.js';
import { stack } from './series.js';
import { textureOf } from './textures.js';

export class KindLegend {
  #kinds = h('ul', { class: 'legend', part: 'legend' });
  #marks = h('ul', { class: 'legend marks', part: 'marks' });
  element = h('div', {}, this.#kinds, this.#marks);
  /** @type {{ kind: number, amount: HTMLElement }[]} */
  #entries = [];
  /** Tokens of the selected request as `ContextView` sends it. */
  #viewAmount = h('span', { class: 'amount' });

  /** @param {Words} words @param {SessionPicture} picture @param {ThreadPicture} thread */
  buildKinds(words, { kinds }, { requests }) {
    const layers = stack(requests, kinds.length).reverse();
    this.#entries = layers.map(({ kind }) => ({ kind, amount: h('span', { class: 'amount' }) }));
    const items = this.#entries.map(({ kind, amount }) => {
      const name = kinds[kind] ?? '';
      return h('li', { class: 'mark' }, swatchOf(slotOfKind(name)), kindName(words, name), amount);
    });
    const line = sample(svg('path', { class: 'view-line', d: 'M0 7H18' }));
    this.#kinds.setAttribute('aria-label', words.legend);
    this.#kinds.replaceChildren(...items, h('li', { class: 'mark' }, line, words.viewLine, this.#viewAmount));
  }

  /** @param {Words} words @param {Language} language @param {SignSum[]} sums @param {Money | null} money */
  buildMarks(words, language, sums, money) {
    this.#marks.hidden = sums.length === 0;
    this.#marks.setAttribute('aria-label', words.eventsLabel);
    this.#marks.replaceChildren(
      ...sums.map(({ sign, count, tokens, cost }) => {
        const glyph = sample(svg('path', { class: isLoss(sign) ? 'loss' : 'begin', d: glyphPath(sign, 9, 7) }));
        const costText = money === null ? formatTokens(cost, language) : money.format(cost);
        const times = formatCount(count, language);
        const sum = isLoss(sign) ? words.bustSum(times, formatTokens(tokens, language), costText) : `${times}×`;
        return h('li', { class: 'mark' }, glyph, signName(words, sign), h('span', { class: 'amount' }, sum));
      }),
    );
  }

  /**
   * Shows the amounts of a request.
   * @param {Language} language @param {ThreadPicture} thread @param {number} request
   */
  showAmounts(language, { requests }, request) {
    const { tokensByKind = [], tokensView = 0 } = requests[request] ?? {};
    for (const { kind, amount } of this.#entries) amount.textContent = formatTokens(tokensByKind[kind] ?? 0, language);
    this.#viewAmount.textContent = formatTokens(tokensView, language);
  }
}

/** @param {Words} words @param {Sign} sign @returns {string} */
export function signName(words, sign) {
  if (sign === 'compacts') return words.compacts;
  if (isLoss(sign)) return words.causes[/** @type {keyof Words['causes']} */ (sign)];
  return words.begins[/** @type {keyof Words['begins']} */ (sign.slice('begins '.length))];
}

/** @param {...Node} nodes */
function sample(...nodes) {
  return svg('svg', { class: 'swatch', width: 18, height: 14, 'aria-hidden': 'true' }, ...nodes);
}

/** @param {string} slot */
function swatchOf(slot) {
  const rectangle = { width: 18, height: 14, rx: 2 };
  const texture = textureOf(slot);
  const plain = svg('rect', { class: 'area', 'data-slot': slot, ...rectangle });
  return texture === null
    ? sample(plain)
    : sample(plain, svg('rect', { class: 'texture', fill: texture, ...rectangle }));
}
