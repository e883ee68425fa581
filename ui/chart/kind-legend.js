// @ts-check
/**
 * The legend of tokens: kinds with the selected request's tokens, and the signs of events with their sums.
 * @import { SessionPicture, ThreadPicture } from '../picture.js'
 * @import { Words } from '../picture/words.js'
 * @import { Money } from './costs.js'
 * @import { SignSum } from './events.js'
 */
import { h, svg } from '../base/dom.js';
import { slotOfKind, textureFill } from '../picture/palette.js';
import { kindName } from '../picture/words.js';
import { isCacheLoss, signName, signPath } from './events.js';
import { stack } from './plot.js';

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
      return h('li.mark', swatchOf(slotOfKind(name)), kindName(words, name), amount);
    });
    const line = sample(svg('path.view-line', { d: 'M0 7H18' }));
    this.#kinds.setAttribute('aria-label', words.legend);
    this.#kinds.replaceChildren(...items, h('li.mark', line, words.viewLine, this.#viewAmount));
  }

  /** @param {Words} words @param {SignSum[]} sums @param {Money | null} money */
  buildSigns(words, sums, money) {
    this.#signs.hidden = sums.length === 0;
    this.#signs.setAttribute('aria-label', words.eventsLabel);
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

/** A small drawing in the legend. @param {...Node} nodes */
function sample(...nodes) {
  return svg('svg.swatch', { width: 18, height: 14, 'aria-hidden': 'true' }, ...nodes);
}

/** @param {string} slot */
function swatchOf(slot) {
  const rectangle = { width: 18, height: 14, rx: 2 };
  const texture = textureFill(slot);
  const plain = svg('rect.area', { 'data-slot': slot, ...rectangle });
  if (texture === null) return sample(plain);
  return sample(plain, svg('rect.texture', { fill: texture, ...rectangle }));
}
