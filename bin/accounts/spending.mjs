// @ts-check
/** Sums what sessions cost by period and model. Resumed and copied sessions repeat requests; each is counted once. */

/** @import { Account } from './read.mjs' */
/** @typedef {'today' | 'week' | 'month' | 'all'} Period each includes the shorter ones */
/** @typedef {{ model: string | null } & Record<Period, number>} ModelCosts in the bill's currency */
/** @typedef {{ models: ModelCosts[], repeated: number }} Spending `repeated`: cost counted in earlier sessions */
/** @typedef {{ usd: number, units: number, isPriced: boolean }} Total `units`: without a known price */

/** @type {readonly Period[]} */ const periods = ['today', 'week', 'month', 'all'];
const quarterHourMs = 900_000;

/** When each period begins: local midnights, in ms. @param {number} nowMs @returns {Record<Period, number>} */
export function periodStarts(nowMs) {
  const midnight = (/** @type {number} */ daysAgo) => {
    const day = new Date(nowMs);
    return new Date(day.getFullYear(), day.getMonth(), day.getDate() - daysAgo).getTime();
  };
  return { today: midnight(0), week: midnight(6), month: midnight(29), all: Number.NEGATIVE_INFINITY };
}

/** @param {readonly Account[]} accounts @param {number} nowMs @returns {Map<Account, Spending>} */
export function spendingOf(accounts, nowMs) {
  const begins = periodStarts(nowMs);
  /** @type {Set<number>} */ const knownIds = new Set();
  // Originals first: a copy ends after its original.
  const inOrder = [...accounts].sort((a, b) => (a.lastMs ?? 0) - (b.lastMs ?? 0) || a.requests - b.requests);
  return new Map(inOrder.map((account) => [account, accountSpending(account, knownIds, begins)]));
}

/**
 * @param {Account} account @param {Set<number>} knownIds of earlier sessions' requests; this session's are added
 * @param {Record<Period, number>} begins @returns {Spending}
 */
function accountSpending({ charged = [], models, lastMs }, knownIds, begins) {
  /** @type {Map<number | null, ModelCosts>} */ const byModel = new Map();
  let repeated = 0;
  /** @type {number[]} */ const ownIds = [];
  for (const [id, paid, quarterHour, model] of charged) {
    if (id !== null && knownIds.has(id)) {
      repeated += paid;
      continue;
    }
    if (id !== null) ownIds.push(id);
    const sum = byModel.get(model) ?? { model: models[model ?? -1] ?? null, today: 0, week: 0, month: 0, all: 0 };
    byModel.set(model, sum);
    const atMs = quarterHour === null ? (lastMs ?? 0) : quarterHour * quarterHourMs;
    for (const period of periods) if (atMs >= begins[period]) sum[period] += paid;
  }
  for (const id of ownIds) knownIds.add(id);
  return { models: [...byModel.values()], repeated };
}

/**
 * @param {readonly Account[]} accounts @param {ReadonlyMap<Account, Spending>} spending
 * @param {{ period?: Period, model?: string | null }} [filter] everything by default @returns {Total}
 */
export function totalOf(accounts, spending, { period = 'all', model } = {}) {
  const total = { usd: 0, units: 0, isPriced: true };
  for (const account of accounts) {
    for (const sum of spending.get(account)?.models ?? []) {
      if (model !== undefined && sum.model !== model) continue;
      if (account.bill?.waterfall.currency === 'usd') total.usd += sum[period];
      else {
        total.units += sum[period];
        total.isPriced = total.isPriced && sum[period] === 0;
      }
    }
  }
  return total;
}
