// @ts-check
/** Charts of sessions' cumulative cost per request, as paid and by policy (when outdated results are removed). */
import { pricesText, titleOf } from '../accounts/policy-tables.mjs';
import { sessionName, sessionsIn } from '../accounts/read.mjs';
import { printable } from '../print.mjs';
import { formatCount, money } from '../wording.mjs';

/** @import { Accounts, FileSession, Simulation } from '../accounts/read.mjs' */

/**
 * @typedef {{ key: string, name: string, values: number[] }} Line `key`: the policy, or `paid`; `values`: costs
 * @typedef {{ key: string, name: string, value: number }} Level a cost known for the whole session only
 * @typedef {{ title: string, subtitle: string, requests: number[], lines: Line[], levels: Level[], notes?: string[],
 *   format: (value: number) => string }} Chart `requests`: request number of each point, ascending
 */

/** Why the paid curve may be below the unmodified history's, in lines. */
const paidNote = ['Policies begin without a cache, also after a', 'compaction; when paid, part was cached.'];

/** Maximum number of charts, most expensive sessions first. */ const maxCharts = 12;

/** @param {FileSession} session @param {Simulation} simulation @returns {{ chart: Chart, cost: number }[]} empty if nothing was sent */
function chartOf(session, simulation) {
  const { curves, policies, prices } = simulation;
  const leftAlone = policies.find(({ policy }) => policy === 'leave-alone');
  if (curves === undefined || leftAlone === undefined || leftAlone.cost <= 0) return [];
  const { agentName, models, bill } = session.account;
  // Simulated and paid costs are drawn in dollars if the price is known, else in input tokens.
  const usd = prices === 'own' ? leftAlone.usd : null;
  const scale = usd === null ? 1 : usd / leftAlone.cost;
  const paidUsd = usd === null || bill === null || bill.paid <= 0 ? null : bill.paidUsd;
  const paidScale = paidUsd === null || bill === null ? scale : paidUsd / bill.paid;
  const line = (/** @type {string} */ key, /** @type {number[]} */ costs, factor = scale) => {
    return { key, name: titleOf(key), values: costs.map((cost) => cost * factor) };
  };
  const lines = curves.policies.map(({ policy, costs }) => line(policy, costs));
  if (curves.paid !== null) lines.push(line('paid', curves.paid, paidScale));
  const hindsight = policies.filter(({ policy }) => policy === 'hindsight');
  const rates = prices === 'own' ? 'at its own model’s prices' : pricesText(prices);
  const requests = `${formatCount(curves.requests.at(-1) ?? 0)} requests, ${rates}`;
  const chart = {
    title: printable(sessionName(session)),
    subtitle: printable([agentName, models.join(', '), requests].filter(Boolean).join(' · ')),
    requests: curves.requests,
    lines,
    levels: hindsight.map(({ policy, cost }) => ({ key: policy, name: titleOf(policy), value: cost * scale })),
    notes: curves.paid === null ? [] : paidNote,
    format: (/** @type {number} */ amount) => (usd === null ? money(null, amount) : money(amount, 0)),
  };
  return [{ chart, cost: leftAlone.cost }];
}

/** Most expensive first. @param {Accounts} accounts read with curves */
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
export function extentOf(chart) {
  const costs = legendOf(chart).map(({ cost }) => cost);
  return { x: Math.max(1, chart.requests.at(-1) ?? 1), y: Math.max(0, ...costs) || 1 };
}

/** @param {Chart} chart @returns {{ key: string, name: string, cost: number }[]} final costs, highest first */
export function legendOf({ lines, levels }) {
  const totals = lines.map(({ key, name, values }) => ({ key, name, cost: values.at(-1) ?? 0 }));
  const others = levels.map(({ key, name, value }) => ({ key, name, cost: value }));
  return [...totals, ...others].sort((a, b) => b.cost - a.cost);
}
