// @ts-check
/**
 * @import { CostPicture, RequestPicture } from '../picture.js'
 * @typedef {'leftAlone' | 'everyRequest' | 'view' | 'paid'} Policy
 * @typedef {{ policy: Policy, each: (number | null)[], total: number, known: number, ratio: number | null }} PolicyCost
 *   `known`: requests with a cost; `ratio`: to the cost of the same requests with unmodified history; null if that cost
 *   is 0
 */

/** @type {Policy[]} */
const POLICIES = ['leftAlone', 'everyRequest', 'view', 'paid'];

/**
 * Stacked upper edges of the kinds that occur, bottom to top.
 * @param {RequestPicture[]} requests @param {number} kinds @returns {{ kind: number, tops: Float64Array }[]}
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

/** @param {CostPicture} cost @returns {PolicyCost[]} without unknown policies */
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
  let baseline = 0;
  let known = 0;
  each.forEach((one, place) => {
    if (one === null) return;
    sum += one;
    baseline += leftAlone[place] ?? 0;
    known++;
  });
  return { total: sum, known, ratio: baseline > 0 ? sum / baseline : null };
}

/** Running total. Null at a request of unknown cost; the next known cost continues the sum. @param {(number | null)[]} each */
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
