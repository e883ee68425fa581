// @ts-check
/**
 * What prompts cost under each policy: history unmodified (`leftAlone`), outdated results removed with every request
 * (`everyRequest`) or when a view decided (`view`), and what was paid (`paid`). Costs are in units, the price of one
 * uncached input token; `Money` shows them in dollars if the price of a unit is known, else in units.
 * @import { CostPicture } from '../picture.js'
 * @import { Words } from '../picture/words.js'
 * @import { Panel } from './plot.js'
 * @import { Language } from '../base/element.js'
 * @typedef {'leftAlone' | 'everyRequest' | 'view' | 'paid'} Policy
 * @typedef {ReturnType<typeof policyCosts>[number]} PolicyCost `costs` of each request, null if one isn't known;
 *   `ratio`: of the total to that of `leftAlone`, null if that is free
 */
import { h, svg } from '../base/dom.js';
import { formatChange, formatTokens, formatUsd } from '../base/format.js';
import { largest, linePath, ticks } from './plot.js';

/** @type {Policy[]} */ const POLICIES = ['leftAlone', 'everyRequest', 'view', 'paid'];

/** Policies with known costs. Policies that a later version may add are not shown. @param {CostPicture} picture */
export function policyCosts({ policies }) {
  return POLICIES.flatMap((policy) => {
    const costs = policies[policy] ?? [];
    const known = costs.flatMap((cost, request) => (cost === null ? [] : [{ cost, request }]));
    const total = known.reduce((sum, { cost }) => sum + cost, 0);
    const baseline = known.reduce((sum, { request }) => sum + (policies.leftAlone[request] ?? 0), 0);
    const ratio = baseline > 0 ? total / baseline : null;
    return known.length > 0 ? [{ policy, costs, total, knownCount: known.length, ratio }] : [];
  });
}

/** Running total. An unknown cost yields null, the next known one continues it. @param {(number | null)[]} costs */
export function cumulative(costs) {
  let sum = 0;
  return costs.map((cost) => {
    if (cost === null) return null;
    sum += cost;
    return sum;
  });
}

export class Money {
  #language;

  /** @param {Language} language @param {CostPicture} cost */
  constructor(language, { usdPerMillion = null }) {
    this.#language = language;
    this.isDollars = usdPerMillion !== null;
    /** The amount that one unit costs. */
    this.ofUnit = usdPerMillion === null ? 1 : usdPerMillion / 1_000_000;
  }

  /** @param {number | null} cost @param {number} [step] of the axis; its labels get the same number of digits */
  format(cost, step = cost ?? 0) {
    if (cost === null) return '–';
    if (!this.isDollars) return formatTokens(cost, this.#language);
    return formatUsd(cost * this.ofUnit, this.#language, step * this.ofUnit);
  }
}

/**
 * @param {Panel} panel @param {number} width CSS pixels
 * @param {{ words: Words, policies: PolicyCost[], isSummed: boolean, money: Money }} data `isSummed`: running totals
 */
export function drawCosts(panel, width, { words, policies, isSummed, money }) {
  const lines = policies.map(({ policy, costs }) => ({ policy, series: isSummed ? cumulative(costs) : costs }));
  // The amounts are round, not the costs.
  const amounts = ticks(largest(lines.map(({ series }) => series)) * money.ofUnit, 4);
  const [step = 1, ...others] = amounts.slice(1).map((amount) => amount / money.ofUnit);
  const values = [0, step, ...others].map((value) => ({ value, text: money.format(value, step) }));
  const scale = panel.resize(width, policies[0]?.costs.length ?? 0, others.at(-1) ?? step);
  const paths = lines.map(({ policy, series }) =>
    svg('path.policy', { 'data-policy': policy, d: linePath(scale, series) }),
  );
  panel.draw(words, words.costLabel, values, ...paths);
}

/** The policies' costs, of which two columns show the selected request; also the legend of the lines. */
export class PolicyTable {
  element = h('table.policies', { part: 'policies' });
  /** Shows a request's costs. @type {(request: number) => void} */ showRequest = () => {};

  /** @param {Words} words @param {PolicyCost[]} policies @param {Money} money */
  build(words, policies, money) {
    const heads = [words.policy, words.thisRequest, words.upToHere, words.total, words.compared];
    const rows = policies.map((cost) => policyRow(words, cost, money));
    this.showRequest = (request) => {
      for (const row of rows) row.showRequest(request);
    };
    const caption = h('caption', `${words.costTitle} (${money.isDollars ? words.dollars : words.units})`);
    const head = h('thead', h('tr', ...heads.map((name) => h('th', { scope: 'col' }, name))));
    this.element.replaceChildren(caption, head, h('tbody', ...rows.map(({ element }) => element)));
  }
}

/** A policy's line, name and costs. @param {Words} words @param {PolicyCost} cost @param {Money} money */
function policyRow(words, { policy, costs, ratio, total, knownCount }, money) {
  const path = svg('path.policy', { 'data-policy': policy, d: 'M0 5H28' });
  const line = svg('svg.sample', { width: 28, height: 10, 'aria-hidden': 'true' }, path);
  const known = words.partlyKnown(words.number(knownCount), words.number(costs.length));
  const note = knownCount < costs.length && h('span.part-known', ` (${known})`);
  const head = h('th', { scope: 'row' }, line, words.policies[policy], note);
  const sums = cumulative(costs);
  const [requestCell, sumCell] = [h('td'), h('td')];
  // The difference to unmodified history.
  const change = ratio === null || policy === 'leftAlone' ? '–' : formatChange(ratio - 1, words.language);
  const showRequest = (/** @type {number} */ request) => {
    requestCell.textContent = money.format(costs[request] ?? null);
    sumCell.textContent = money.format(sums[request] ?? null);
  };
  const cells = [requestCell, sumCell, h('td', money.format(total)), h('td', change)];
  return { element: h('tr', head, cells), showRequest };
}
