// @ts-check
/** Sums figures of recorded sessions by agent, model and policy. */

/**
 * @typedef {import('./read.mjs').Account} Account
 * @typedef {{ path: string, account: Account }} FileSession a session, and the path of its file
 * @typedef {{ agent: string, sessions: number, billed: number, requests: number, paid: number, predicted: number,
 *   unannounced: number, paidUsd: number, predictedUsd: number, medianRest: number | null }} AgentTotals `billed`: sessions whose requests have costs
 */

/** @param {import('./read.mjs').Accounts} accounts @returns {FileSession[]} */
export function sessionsIn({ files }) {
  return files.flatMap(({ path, sessions }) => sessions.map((account) => ({ path, account })));
}

/** @param {readonly Account[]} accounts @returns {{ model: string | null, tokens: number }[]} sorted by tokens, most first */
export function unpricedOf(accounts) {
  /** @type {Map<string | null, number>} */ const sums = new Map();
  for (const { model, tokens } of accounts.flatMap(({ unpriced }) => unpriced))
    sums.set(model, (sums.get(model) ?? 0) + tokens);
  return [...sums].map(([model, tokens]) => ({ model, tokens })).sort((a, b) => b.tokens - a.tokens);
}

/** @param {number} predicted @param {number} paid @returns {number | null} the error as a share of what was paid */
export function errorOf(predicted, paid) {
  return paid > 0 ? predicted / paid - 1 : null;
}

/** The error without the unannounced requests: those that read more or less than anything in the file foretells. @param {import('./read.mjs').Bill} bill */
export function restOf({ predicted, unannounced, paid }) {
  return errorOf(predicted + unannounced, paid);
}

/** @param {readonly number[]} values */
function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const half = Math.floor(sorted.length / 2);
  if (sorted.length === 0) return null;
  const upper = sorted[half] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[half - 1] ?? 0) + upper) / 2;
}

/** @param {string} agent @param {readonly FileSession[]} sessions @returns {AgentTotals} */
function totalsOf(agent, sessions) {
  // A bill recorded for the whole session only has no prediction.
  const bills = sessions.flatMap(({ account: { bill } }) => (bill === null || bill.isOfSession ? [] : [bill]));
  const sum = (/** @type {(bill: import('./read.mjs').Bill) => number | null} */ figure) =>
    bills.reduce((total, bill) => total + (figure(bill) ?? 0), 0);
  return {
    agent,
    sessions: sessions.length,
    billed: bills.length,
    requests: sessions.reduce((total, { account }) => total + account.requests, 0),
    paid: sum((bill) => bill.paid),
    predicted: sum((bill) => bill.predicted),
    unannounced: sum((bill) => bill.unannounced),
    paidUsd: sum((bill) => bill.paidUsd),
    predictedUsd: sum((bill) => bill.predictedUsd),
    medianRest: median(bills.map((bill) => Math.abs(restOf(bill) ?? 0))),
  };
}

/** @param {readonly FileSession[]} sessions @returns {AgentTotals[]} one for each agent, then one for all */
export function totalsByAgent(sessions) {
  const byAgent = grouped(sessions, ({ account }) => [account.agentName]);
  const totals = [...byAgent].map(([agent, ofAgent]) => totalsOf(agent, ofAgent));
  return [...totals, totalsOf('all', sessions)];
}

/** @template T, K @param {readonly T[]} items @param {(item: T) => readonly K[]} keysOf @returns {Map<K, T[]>} */
export function grouped(items, keysOf) {
  /** @type {Map<K, T[]>} */ const groups = new Map();
  for (const item of items) {
    for (const key of keysOf(item)) {
      if (!groups.has(key)) groups.set(key, []);
      groups.get(key)?.push(item);
    }
  }
  return groups;
}

/**
 * @param {readonly FileSession[]} sessions
 * @returns {Map<string, Map<string, Partial<import('./read.mjs').NeedFigures> & { cost: number }>>}
 *   sums by price list and policy; needs only if they were read
 */
export function policyTotals(sessions) {
  const totals = new Map();
  for (const { prices, policies } of sessions.flatMap(({ account }) => account.simulations)) {
    const byPolicy = totals.get(prices) ?? new Map();
    totals.set(prices, byPolicy);
    for (const { policy, cost, need } of policies) {
      const sums = byPolicy.get(policy) ?? {};
      for (const [name, figure] of Object.entries({ cost, ...need })) sums[name] = (sums[name] ?? 0) + figure;
      byPolicy.set(policy, sums);
    }
  }
  return totals;
}
