/** Charts of sessions' cumulative cost per request, as paid and by policy. A policy decides when results are removed. */
import { policyNames, pricesText } from '../accounts/policy-tables.mjs';
import { sessionName, sessionsIn } from '../accounts/read.mjs';
import { printable } from '../print.mjs';
import { formatCount, money } from '../wording.mjs';

/**
 * `key`: the policy, or `paid`.
 * @typedef {{ key: string, name: string, values: number[] }} Line costs in the order of the chart’s `requests`
 * @typedef {{ key: string, name: string, value: number }} Level a cost known for the whole session only
 * @typedef {{ title: string, subtitle: string, requests: number[], lines: Line[], levels: Level[], notes?: string[],
 *   format: (value: number) => string }} Chart `requests`: request number of each point, ascending
 */

/** Why the paid curve may be below the unmodified history's, in lines. */
const paidNote = ['Policies begin without a cache, also after a', 'compaction; when paid, part was cached.'];

/** Maximum number of charts, most expensive sessions first. */
const maxCharts = 12;

/**
 * @param {import('../accounts/read.mjs').FileSession} session
 * @param {import('../accounts/read.mjs').Simulation} simulation
 * @returns {{ chart: Chart, cost: number }[]} empty if nothing was sent
 */
function chartOf(session, simulation) {
  const { curves, policies, prices } = simulation;
  const leftAlone = policies.find(({ policy }) => policy === 'leave-alone');
  if (curves === undefined || leftAlone === undefined || leftAlone.cost <= 0) return [];
  const { account } = session;
  const { bill } = account;
  // Simulated and paid costs are drawn in dollars if the price is known, else in input tokens.
  const usd = prices === 'own' ? leftAlone.usd : null;
  const inMoney = usd !== null;
  const scale = usd === null ? 1 : usd / leftAlone.cost;
  const isPriced = inMoney && bill !== null && bill.paidUsd !== null && bill.paid > 0;
  const paidScale = isPriced ? /** @type {number} */ (bill.paidUsd) / bill.paid : scale;
  /** @type {Line[]} */ const lines = curves.policies.map(({ policy, costs }) => ({
    key: policy,
    name: policyNames.get(policy) ?? policy,
    values: costs.map((cost) => cost * scale),
  }));
  if (curves.paid !== null) {
    lines.push({ key: 'paid', name: 'paid', values: curves.paid.map((cost) => cost * paidScale) });
  }
  const hindsight = policies.find(({ policy }) => policy === 'hindsight');
  const levels =
    hindsight === undefined ? [] : [{ key: 'hindsight', name: 'hindsight', value: hindsight.cost * scale }];
  const rates = prices === 'own' ? 'at its own model’s prices' : pricesText(prices);
  const models = account.models.length > 0 ? ` · ${account.models.join(', ')}` : '';
  const chart = {
    title: printable(sessionName(session)),
    subtitle: printable(
      `${account.agentName}${models} · ${formatCount(curves.requests.at(-1) ?? 0)} requests, ${rates}`,
    ),
    requests: curves.requests,
    lines,
    levels,
    notes: curves.paid === null ? [] : paidNote,
    format: (/** @type {number} */ amount) => (inMoney ? money(amount, 0) : money(null, amount)),
  };
  return [{ chart, cost: leftAlone.cost }];
}

/** Most expensive first. @param {import('../accounts/read.mjs').Accounts} accounts read with curves */
export function chartsOf(accounts) {
  const all = sessionsIn(accounts).flatMap((session) =>
    session.account.simulations.flatMap((simulation) => chartOf(session, simulation)),
  );
  all.sort((a, b) => b.cost - a.cost);
  return { charts: all.slice(0, maxCharts).map(({ chart }) => chart), omitted: Math.max(0, all.length - maxCharts) };
}

/** @param {number} max @param {number} tickCount approximate @returns {number[]} round numbers from 0 to `max` */
export function ticksOf(max, tickCount) {
  if (!(max > 0) || !Number.isFinite(max)) return [0];
  const rough = max / tickCount;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough) ?? 10 * power;
  return Array.from({ length: Math.floor(max / step + 1e-9) + 1 }, (_, at) => at * step);
}

/** The largest request number and cost; at least 1, as divisors. @param {Chart} chart */
export function extentOf({ requests, lines, levels }) {
  const costs = [...lines.map(({ values }) => values.at(-1) ?? 0), ...levels.map(({ value }) => value)];
  return { x: Math.max(1, requests.at(-1) ?? 1), y: Math.max(0, ...costs) || 1 };
}

/** @param {Chart} chart @returns {{ key: string, name: string, cost: number }[]} final costs, highest first */
export function legendOf({ lines, levels }) {
  const all = [
    ...lines.map(({ key, name, values }) => ({ key, name, cost: values.at(-1) ?? 0 })),
    ...levels.map(({ key, name, value }) => ({ key, name, cost: value })),
  ];
  return all.sort((a, b) => b.cost - a.cost);
}
