// @ts-check
/**
 * What the chart draws, in numbers: tokens stacked by kind, costs as they are and summed up.
 *
 * @import { CostPicture, RequestPicture } from '../picture.js'
 * @typedef {'leftAlone' | 'everyRequest' | 'view' | 'paid'} Policy
 * @typedef {{ policy: Policy, each: (number | null)[], total: number, known: number, ratio: number | null }} PolicyCost
 *   `known`: of so many requests; `ratio` to leaving the same requests alone, null where that costs nothing
 */

/** @type {Policy[]} */
const POLICIES = ['leftAlone', 'everyRequest', 'view', 'paid'];

/**
 * The upper edge of each kind that ever occurs, from the bottom up.
 * @param {RequestPicture[]} requests
 * @param {number} kinds
 * @returns {{ kind: number, tops: Float64Array }[]}
 */
export function stack(requests, kinds) {
  const layers = [];
  let below = new Float64Array(requests.length);
  for (let kind = 0; kind < kinds; kind++) {
    if (!requests.some((request) => (request.tokensByKind[kind] ?? 0) > 0)) continue;
    const tops = below.map((sum, place) => sum + (requests[place]?.tokensByKind[kind] ?? 0));
    layers.push({ kind, tops });
    below = tops;
  }
  return layers;
}

/**
 * @param {CostPicture} cost
 * @returns {PolicyCost[]} without the policies that nothing is known of
 */
export function policyCosts(cost) {
  return POLICIES.flatMap((policy) => {
    const each = cost.policies[policy];
    if (each === null || each === undefined || !each.some((one) => one !== null)) return [];
    return [{ policy, each, ...total(each, cost.policies.leftAlone) }];
  });
}

/** @param {(number | null)[]} each @param {number[]} leftAlone */
function total(each, leftAlone) {
  let sum = 0;
  let beside = 0;
  let known = 0;
  each.forEach((one, place) => {
    if (one === null) return;
    sum += one;
    beside += leftAlone[place] ?? 0;
    known++;
  });
  return { total: sum, known, ratio: beside > 0 ? sum / beside : null };
}

/**
 * Sums up to each request; where a request's cost isn't known, null, and the sum goes on behind it.
 * @param {(number | null)[]} each
 */
export function cumulative(each) {
  let sum = 0;
  return each.map((one) => {
    if (one === null) return null;
    sum += one;
    return sum;
  });
}

/** @param {(number | null)[][]} lists */
export function largest(lists) {
  let most = 0;
  for (const list of lists) for (const one of list) if (one !== null && one > most) most = one;
  return most;
}
