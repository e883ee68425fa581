// @ts-check
/**
 * Shows costs in dollars if the price of a unit is known, else in units. A unit is the price of one uncached input token.
 * Costs in a picture are always in units; an amount is what is shown.
 *
 * @import { CostPicture } from '../picture.js'
 * @import { Language } from '../base/language.js'
 */
import { formatTokens, formatUsd } from '../base/format.js';

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

  /** @param {number} cost in units @returns {number} in dollars, or in units */
  amount(cost) {
    return cost * this.#amountPerUnit;
  }

  /** Inverse of `amount`. @param {number} amount */
  cost(amount) {
    return amount / this.#amountPerUnit;
  }

  /** @param {number | null} cost @param {number} [step] the axis step, so that all labels have the same number of digits */
  format(cost, step = cost ?? 0) {
    if (cost === null) return '–';
    if (!this.isDollars) return formatTokens(cost, this.#language);
    return formatUsd(this.amount(cost), this.#language, this.amount(step));
  }
}
