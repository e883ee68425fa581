// @ts-check
/**
 * The table of the policies' costs, which is also the legend of their lines. Two of its columns show the selected
 * request.
 *
 * @import { Language } from '../base/language.js'
 * @import { Words } from '../picture/words.js'
 * @import { Money } from './money.js'
 * @import { PolicyCost } from './series.js'
 * @typedef {object} Row
 * @property {string} name
 * @property {PolicyCost} cost
 * @property {(number | null)[]} summed running total of `cost.each`
 * @property {HTMLElement} requestCell cost of the selected request
 * @property {HTMLElement} summedCell cost up to the selected request
 */
import { h, svg } from '../base/dom.js';
import { formatChange, formatCount } from '../base/format.js';
import { cumulative } from './series.js';

export class PolicyTable {
  element = h('table', { class: 'policies', part: 'policies' });
  /** @type {Row[]} */
  #rows = [];
  /** @type {Money | null} */
  #money = null;

  /** @param {Words} words @param {Language} language @param {PolicyCost[]} policies @param {Money} money */
  build(words, language, policies, money) {
    this.#money = money;
    this.#rows = policies.map((cost) => ({
      name: words.policies[cost.policy],
      cost,
      summed: cumulative(cost.each),
      requestCell: h('td'),
      summedCell: h('td'),
    }));
    const caption = `${words.costTitle} (${money.isDollars ? words.dollars : words.units})`;
    const heads = [words.policy, words.thisRequest, words.upToHere, words.total, words.compared];
    this.element.replaceChildren(
      h('caption', {}, caption),
      h('thead', {}, h('tr', {}, ...heads.map((head) => h('th', { scope: 'col' }, head)))),
      h('tbody', {}, ...this.#rows.map((row) => this.#rowOf(words, language, row, money))),
    );
  }

  /** @param {Words} words @param {Language} language @param {Row} row @param {Money} money */
  #rowOf(words, language, { name, cost, requestCell, summedCell }, money) {
    const { policy, ratio, knownCount, each } = cost;
    const isBase = policy === 'leftAlone';
    const difference = ratio === null || isBase ? '–' : formatChange(ratio - 1, language);
    const partlyKnown =
      knownCount < each.length &&
      words.partlyKnown(formatCount(knownCount, language), formatCount(each.length, language));
    const line = svg(
      'svg',
      { class: 'sample', width: 28, height: 10, 'aria-hidden': 'true' },
      svg('path', { class: 'policy', 'data-policy': policy, d: 'M0 5H28' }),
    );
    return h(
      'tr',
      {},
      h('th', { scope: 'row' }, line, name, partlyKnown && h('span', { class: 'part-known' }, ` (${partlyKnown})`)),
      requestCell,
      summedCell,
      h('td', {}, money.format(cost.total)),
      h('td', {}, difference),
    );
  }

  /** Shows the costs of a request. @param {number} request */
  showCosts(request) {
    for (const { cost, summed, requestCell, summedCell } of this.#rows) {
      requestCell.textContent = this.#money?.format(cost.each[request] ?? null) ?? '';
      summedCell.textContent = this.#money?.format(summed[request] ?? null) ?? '';
    }
  }
}
