// @ts-check
/**
 * A table that is also the legend of the policies' lines.
 *
 * @import { Language } from '../base/language.js'
 * @import { Words } from '../picture/words.js'
 * @import { Money } from './money.js'
 * @import { PolicyCost } from './series.js'
 * @typedef {{ name: string, policy: PolicyCost, summed: (number | null)[], now: HTMLElement, sum: HTMLElement }} Row
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
    this.#rows = policies.map((policy) => ({
      name: words.policies[policy.policy],
      policy,
      summed: cumulative(policy.each),
      now: h('td'),
      sum: h('td'),
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
  #rowOf(words, language, { name, policy, now, sum }, money) {
    const { ratio, known, each } = policy;
    const isBase = policy.policy === 'leftAlone';
    const difference = ratio === null || isBase ? '–' : formatChange(ratio - 1, language);
    const part =
      known < each.length ? words.partlyKnown(formatCount(known, language), formatCount(each.length, language)) : null;
    const line = svg(
      'svg',
      { class: 'sample', width: 28, height: 10, 'aria-hidden': 'true' },
      svg('path', { class: 'policy', 'data-policy': policy.policy, d: 'M0 5H28' }),
    );
    return h(
      'tr',
      {},
      h('th', { scope: 'row' }, line, name, part === null ? null : h('span', { class: 'part-known' }, ` (${part})`)),
      now,
      sum,
      h('td', {}, money.format(policy.total)),
      h('td', {}, difference),
    );
  }

  /** @param {number} request */
  read(request) {
    for (const { policy, summed, now, sum } of this.#rows) {
      now.textContent = this.#money?.format(policy.each[request] ?? null) ?? '';
      sum.textContent = this.#money?.format(summed[request] ?? null) ?? '';
    }
  }
}
