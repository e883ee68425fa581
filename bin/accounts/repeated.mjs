// @ts-check
/** What sessions cost together: requests that a resumed or copied session has in its file once more were paid once. */

/**
 * @typedef {import('./read.mjs').Account} Account
 * @typedef {{ usd: number, units: number, isWhole: boolean }} Total `units` of sessions whose price isn't known; `isWhole`: there are none
 */

/** @param {readonly Account[]} accounts @returns {Map<Account, number>} what of each was paid in no session before it */
export function paidOnce(accounts) {
  /** @type {Set<number>} */
  const known = new Set();
  /** @type {Map<Account, number>} */
  const paid = new Map();
  // The original ended first.
  const inOrder = [...accounts].sort((a, b) => (a.lastMs ?? 0) - (b.lastMs ?? 0) || a.requests - b.requests);
  for (const account of inOrder) {
    let again = 0;
    for (const [id, cost] of account.identified ?? []) {
      if (known.has(id)) again += cost;
      known.add(id);
    }
    if (account.bill !== null) paid.set(account, Math.max(0, account.bill.waterfall.paid - again));
  }
  return paid;
}

/** @param {readonly Account[]} accounts @param {ReadonlyMap<Account, number>} paid @returns {Total} */
export function totalOf(accounts, paid) {
  const total = { usd: 0, units: 0, isWhole: true };
  for (const account of accounts) {
    const cost = paid.get(account) ?? 0;
    if (account.bill?.waterfall.currency === 'units') {
      total.units += cost;
      total.isWhole = false;
    } else total.usd += cost;
  }
  return total;
}
