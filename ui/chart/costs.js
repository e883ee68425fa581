// @ts-check
/**
 * What prompts cost under each policy, which decides what is removed; `leftAlone` removes nothing. Costs are in units,
 * the price of one uncached input token. Amounts are shown: dollars if the price of a unit is known, else units.
 * @import { CostPicture } from '../picture.js'
 * @import { Words } from '../picture/words.js'
 * @import { Panel } from './plot.js'
 * @import { Language } from '../base/element.js'
 * @typedef {'leftAlone' | 'everyRequest' | 'view' | 'paid'} Policy
 * @typedef {ReturnType<typeof rowOf>} Row of the table
 * @typedef {ReturnType<typeof policyCosts>[number]} PolicyCost `costs` of each request; null if one isn't known
 */
import { h, svg } from '../base/dom.js';
import { formatChange, formatTokens, formatUsd } from '../base/format.js';
import { largest, linePath, requestAxis, ticks, valueAxis } from './plot.js';

// Heights of the panel, of the space above the lines, and of the request labels, CSS pixels.
const HEIGHT = 190;
const TOP = 8;
const AXIS_HEIGHT = 22;

/** @type {Policy[]} */
const POLICIES = ['leftAlone', 'everyRequest', 'view', 'paid'];

/** Policies with known costs. Policies that a later version may add are not shown. @param {CostPicture} picture */
export function policyCosts({ policies }) {
  return POLICIES.flatMap((policy) => {
    const costs = policies[policy] ?? [];
    return costs.some((cost) => cost !== null) ? [{ policy, costs, ...summary(costs, policies.leftAlone) }] : [];
  });
}

/** `ratio`: to `leftAlone`; null if that is free. @param {(number | null)[]} costs @param {number[]} leftAlone */
function summary(costs, leftAlone) {
  let total = 0;
  let baseline = 0;
  let knownCount = 0;
  costs.forEach((cost, request) => {
    if (cost === null) return;
    total += cost;
    baseline += leftAlone[request] ?? 0;
    knownCount++;
  });
  return { total, knownCount, ratio: baseline > 0 ? total / baseline : null };
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

/** Converts costs to amounts. */
export class Money {
  #language;
  #amountPerUnit;
  isDollars;

  /** @param {Language} language @param {CostPicture} cost */
  constructor(language, { usdPerMillion = null }) {
    this.#language = language;
    this.isDollars = usdPerMillion !== null;
    this.#amountPerUnit = usdPerMillion === null ? 1 : usdPerMillion / 1_000_000;
  }

  /** @param {number} cost */
  amount(cost) {
    return cost * this.#amountPerUnit;
  }

  /** Inverse of `amount`. @param {number} amount */
  cost(amount) {
    return amount / this.#amountPerUnit;
  }

  /** @param {number | null} cost @param {number} [step] of the axis; its labels get the same number of digits */
  format(cost, step = cost ?? 0) {
    if (cost === null) return '–';
    if (!this.isDollars) return formatTokens(cost, this.#language);
    return formatUsd(this.amount(cost), this.#language, this.amount(step));
  }
}

/**
 * @param {Panel} panel @param {number} width CSS pixels
 * @param {{ words: Words, policies: PolicyCost[], isSummed: boolean, money: Money }} data `isSummed`: running totals
 */
export function drawCosts(panel, width, { words, policies, isSummed, money }) {
  const xScale = panel.resize(width, HEIGHT, policies[0]?.costs.length ?? 0);
  const lines = policies.map(({ policy, costs }) => ({ policy, values: isSummed ? cumulative(costs) : costs }));
  const amounts = ticks(money.amount(largest(lines.map(({ values }) => values))), 4);
  const yScale = { top: TOP, height: HEIGHT - TOP - AXIS_HEIGHT, max: money.cost(amounts.at(-1) ?? 1) };
  const step = money.cost(amounts[1] ?? 1);
  const labels = amounts.map((amount) => ({ value: money.cost(amount), text: money.format(money.cost(amount), step) }));
  panel.draw(
    words.costLabel,
    ...valueAxis(xScale, yScale, labels),
    ...lines.map(({ policy, values }) =>
      svg('path.policy', { 'data-policy': policy, d: linePath(xScale, yScale, values) }),
    ),
    ...requestAxis(xScale, HEIGHT - 6, (request) => words.number(request + 1)),
  );
}

/** The policies' costs, of which two columns show the selected request; also the legend of the lines. */
export class PolicyTable {
  element = h('table.policies', { part: 'policies' });
  /** @type {Row[]} */ #rows = [];
  /** @type {Money | null} */ #money = null;

  /** @param {Words} words @param {PolicyCost[]} policies @param {Money} money */
  build(words, policies, money) {
    this.#money = money;
    const heads = [words.policy, words.thisRequest, words.upToHere, words.total, words.compared];
    this.#rows = policies.map(rowOf);
    const rows = policies.map((cost, index) => {
      const { requestCell, sumCell } = /** @type {Row} */ (this.#rows[index]);
      const { policy, ratio, total } = cost;
      // The difference to unmodified history.
      const change = ratio === null || policy === 'leftAlone' ? '–' : formatChange(ratio - 1, words.language);
      return h('tr', rowHead(words, cost), requestCell, sumCell, h('td', money.format(total)), h('td', change));
    });
    this.element.replaceChildren(
      h('caption', `${words.costTitle} (${money.isDollars ? words.dollars : words.units})`),
      h('thead', h('tr', ...heads.map((head) => h('th', { scope: 'col' }, head)))),
      h('tbody', ...rows),
    );
  }

  /** Shows the costs of a request. @param {number} request */
  showRequest(request) {
    for (const { costs, sums, requestCell, sumCell } of this.#rows) {
      requestCell.textContent = this.#money?.format(costs[request] ?? null) ?? '';
      sumCell.textContent = this.#money?.format(sums[request] ?? null) ?? '';
    }
  }
}

/** A policy's costs, running totals, and the cells with those of the selected request. @param {PolicyCost} cost */
function rowOf({ costs }) {
  return { costs, sums: cumulative(costs), requestCell: h('td'), sumCell: h('td') };
}

/** The policy's line and name, and how many costs are known. @param {Words} words @param {PolicyCost} cost */
function rowHead(words, { policy, costs, knownCount }) {
  const path = svg('path.policy', { 'data-policy': policy, d: 'M0 5H28' });
  const line = svg('svg.sample', { width: 28, height: 10, 'aria-hidden': 'true' }, path);
  const known = words.partlyKnown(words.number(knownCount), words.number(costs.length));
  const note = knownCount < costs.length && h('span.part-known', ` (${known})`);
  return h('th', { scope: 'row' }, line, words.policies[policy], note);
}
