// @ts-check
/**
 * What prompts cost under each policy, which decides what is removed; `leftAlone` removes nothing. Costs are in units, the
 * price of one uncached input token. Amounts are shown: dollars if the price of a unit is known, else units.
 * @import { CostPicture } from '../picture.js'
 * @import { Language } from '../base/element.js'
 * @typedef {'leftAlone' | 'everyRequest' | 'view' | 'paid'} Policy
 * @typedef {ReturnType<typeof policyCosts>[number]} PolicyCost `costs` of each request; null if one isn't known
 */
import { formatTokens, formatUsd } from '../base/format.js';

/** @type {Policy[]} */
const POLICIES = ['leftAlone', 'everyRequest', 'view', 'paid'];

/** Policies with known costs. Policies that a later version may add are not shown. @param {CostPicture} picture */
export function policyCosts({ policies }) {
  return POLICIES.flatMap((policy) => {
    const costs = policies[policy] ?? [];
    return costs.some((cost) => cost !== null) ? [{ policy, costs, ...summary(costs, policies.leftAlone) }] : [];
  });
}

/** `ratio`: to unmodified history, over requests of known cost; null if that costs 0. @param {(number | null)[]} costs @param {number[]} leftAlone */
function summary(costs, leftAlone) {
  let total = 0;
  let baseline = 0;
  let knownCount = 0;
  costs.forEach((cost, request) => {
    if (cost === null) return;
    total += cost;
    baseline += leftAlone[request] ?? 0;
    knownCount++;
  });
  return { total, knownCount, ratio: baseline > 0 ? total / baseline : null };
}

/** Running total. An unknown cost yields null, the next known one continues it. @param {(number | null)[]} costs */
export function cumulative(costs) {
  let sum = 0;
  return costs.map((cost) => {
    if (cost === null) return null;
    sum += cost;
    return sum;
  });
}

/** Converts costs to amounts. */
export class Money {
  #language;
  #amountPerUnit;
  isDollars;

  /** @param {Language} language @param {CostPicture} cost */
  constructor(language, { usdPerMillion = null }) {
    this.#language = language;
    this.isDollars = usdPerMillion !== null;
    this.#amountPerUnit = usdPerMillion === null ? 1 : usdPerMillion / 1_000_000;
  }

  /** @param {number} cost */
  amount(cost) {
    return cost * this.#amountPerUnit;
  }

  /** Inverse of `amount`. @param {number} amount */
  cost(amount) {
    return amount / this.#amountPerUnit;
  }

  /** @param {number | null} cost @param {number} [step] of the axis; its labels get the same number of digits */
  format(cost, step = cost ?? 0) {
    if (cost === null) return '–';
    if (!this.isDollars) return formatTokens(cost, this.#language);
    return formatUsd(this.amount(cost), this.#language, this.amount(step));
  }
}
