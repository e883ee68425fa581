// @ts-check
/**
 * The chart's costs: a line for each policy, and a table, which is their legend and shows the selected request.
 * @import { Words } from '../picture/words.js'
 * @import { Money, PolicyCost } from './costs.js'
 * @import { Panel } from './plot.js'
 * @typedef {ReturnType<typeof rowOf>} Row
 */
import { h, svg } from '../base/dom.js';
import { formatChange } from '../base/format.js';
import { cumulative } from './costs.js';
import { largest, linePath, requestAxis, ticks, valueAxis } from './plot.js';

// Heights of the panel, of the space above the lines, and of the request labels, CSS pixels.
const HEIGHT = 190;
const TOP = 8;
const AXIS_HEIGHT = 22;

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

/** A policy's cost of each request and running total, and the cells that show those of the selected one. @param {PolicyCost} cost */
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
