// @ts-check
/**
 * The series that the chart draws: stacked tokens by kind, and the costs of each policy. A policy decides what is
 * removed from prompts; `leftAlone` removes nothing.
 *
 * @import { CostPicture, RequestPicture } from '../picture.js'
 * @typedef {'leftAlone' | 'everyRequest' | 'view' | 'paid'} Policy
 * @typedef {object} PolicyCost
 * @property {Policy} policy
 * @property {(number | null)[]} each cost of each request; null if it isn't known
 * @property {number} total
 * @property {number} knownCount requests with a known cost
 * @property {number | null} ratio to the cost of the same requests with unmodified history; null if that is 0
 */

/** @type {Policy[]} */
const POLICIES = ['leftAlone', 'everyRequest', 'view', 'paid'];

/**
 * Stacked upper edges of the kinds that occur, bottom to top. Kinds are indexes in the picture's `kinds`.
 * @param {RequestPicture[]} requests @param {number} kindCount @returns {{ kind: number, tops: Float64Array }[]}
 */
export function stack(requests, kindCount) {
  const layers = [];
  let below = new Float64Array(requests.length);
  for (let kind = 0; kind < kindCount; kind++) {
    if (!requests.some((request) => (request.tokensByKind[kind] ?? 0) > 0)) continue;
    const tops = below.map((sum, request) => sum + (requests[request]?.tokensByKind[kind] ?? 0));
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
    return [{ policy, each, ...summary(each, cost.policies.leftAlone) }];
  });
}

/** @param {(number | null)[]} each @param {number[]} leftAlone */
function summary(each, leftAlone) {
  let sum = 0;
  let baseline = 0;
  let knownCount = 0;
  each.forEach((cost, request) => {
    if (cost === null) return;
    sum += cost;
    baseline += leftAlone[request] ?? 0;
    knownCount++;
  });
  return { total: sum, knownCount, ratio: baseline > 0 ? sum / baseline : null };
}

/** Running total. Null at a request of unknown cost; the next known cost continues the sum. @param {(number | null)[]} each */
export function cumulative(each) {
  let sum = 0;
  return each.map((cost) => {
    if (cost === null) return null;
    sum += cost;
    return sum;
  });
}

/** The largest known value, or 0. @param {(number | null)[][]} lists */
export function largest(lists) {
  let most = 0;
  for (const list of lists) for (const value of list) if (value !== null && value > most) most = value;
  return most;
}
