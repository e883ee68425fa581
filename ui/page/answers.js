// @ts-check
/**
 * Figures of the cards that aren't in the picture: what each policy would have cost, and the largest request. A policy
 * decides what is removed from prompts; `leftAlone` removes nothing.
 *
 * @import { SessionPicture } from '../picture.js'
 * @import { Currency } from './figures.js'
 * @typedef {'leftAlone' | 'everyRequest' | 'batches20k' | 'batches30k' | 'clearAbove100k' | 'view'} Policy
 * @typedef {{ policy: Policy, cost: number, low: number, high: number }} Alternative `low` and `high`: the range of the
 *   change, as shares
 * @typedef {object} Alternatives amounts in `currency`
 * @property {Currency} currency
 * @property {number | null} paid null if no usage was recorded
 * @property {number} modelled cost of unmodified history under the cache model
 * @property {number} output
 * @property {Alternative[]} policies cheapest first
 */

/** @type {readonly Exclude<Policy, 'leftAlone'>[]} */
const POLICIES = ['everyRequest', 'batches20k', 'batches30k', 'clearAbove100k', 'view'];

/**
 * The largest request of the main thread.
 * @param {SessionPicture} picture
 * @returns {{ request: number, tokens: number, window: number | null, outdated: number } | null} `window`: the model's
 *   limit in tokens; `outdated`: tokens; null if nothing was sent
 */
export function largestRequest({ threads: [thread] }) {
  if (thread === undefined) return null;
  const largest = Math.max(0, ...thread.requests.map(({ tokens }) => tokens));
  const index = thread.requests.findLastIndex(({ tokens }) => tokens === largest);
  const request = thread.requests[index];
  if (request === undefined || largest <= 0) return null;
  let outdated = 0;
  for (const [from, to] of request.prompt) {
    for (const { staleFrom, clearedFrom = null, tokens, tokensCleared = 0 } of thread.cells.slice(from, to)) {
      const isCleared = clearedFrom !== null && clearedFrom <= index;
      if (staleFrom !== null && staleFrom <= index) outdated += tokens - (isCleared ? tokensCleared : 0);
    }
  }
  return { request: index, tokens: largest, window: thread.contextWindow ?? null, outdated };
}

/**
 * Costs of all policies under the cache model, over requests of known cost. `low` and `high` are the change in cost
 * computed in two ways: relative to what was paid, and relative to the model's cost of unmodified history. Their
 * difference shows the model's error.
 * @param {SessionPicture} picture @returns {Alternatives}
 */
export function alternativesOf(picture) {
  const costs = picture.threads.flatMap((thread) => thread.costs.slice(0, 1).map(({ policies }) => policies));
  const isPaid = costs.some(({ paid }) => paid?.some((cost) => cost !== null));
  const usd = usdPerUnit(picture);
  const currency = usd === null ? 'units' : 'usd';
  const perUnit = usd ?? 1;
  const total = (/** @type {Policy} */ policy) =>
    perUnit *
    sum(
      costs.flatMap(({ [policy]: each, paid }) =>
        (each ?? []).filter((_, request) => !isPaid || typeof paid?.[request] === 'number'),
      ),
    );
  const { bill = null } = picture;
  // Dollars recorded by the agent can't be added to units.
  const output = bill !== null && bill.currency === currency ? bill.output : 0;
  const paidPrompts = sum(costs.flatMap((policies) => (policies.paid ?? []).map((cost) => cost ?? 0)));
  const paid = isPaid ? perUnit * paidPrompts + output : null;
  const modelled = total('leftAlone') + output;
  const base = paid ?? modelled;
  const policies = POLICIES.filter((policy) => costs.every((costsByPolicy) => costsByPolicy[policy] !== undefined)).map(
    (policy) => {
      const cost = total(policy) + output;
      const changes = base > 0 ? [cost / base - 1, (cost - modelled) / base] : [0, 0];
      return { policy, cost, low: Math.min(...changes), high: Math.max(...changes) };
    },
  );
  return { currency, paid, modelled, output, policies: policies.sort((a, b) => a.cost - b.cost) };
}

/**
 * Dollars of one unit, the price of an uncached input token; null if a model's price is unknown.
 * @param {SessionPicture} picture @returns {number | null}
 */
export function usdPerUnit({ threads }) {
  const perMillion = threads[0]?.costs[0]?.usdPerMillion ?? null;
  return perMillion === null ? null : perMillion / 1e6;
}

/** @param {readonly number[]} values */
function sum(values) {
  return values.reduce((total, value) => total + value, 0);
}
