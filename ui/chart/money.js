// @ts-check
/**
 * Costs are in dollars if the price of a unit is known, else in units: tokens at the base input price.
 *
 * @import { CostPicture } from '../picture.js'
 * @import { Language } from '../base/language.js'
 */
import { formatTokens, formatUsd } from '../base/format.js';

export class Money {
  #language;
  #perUnit;
  isDollars;

  /** @param {Language} language @param {CostPicture} cost */
  constructor(language, { usdPerMillion = null }) {
    this.#language = language;
    this.isDollars = usdPerMillion !== null;
    this.#perUnit = usdPerMillion === null ? 1 : usdPerMillion / 1_000_000;
  }

  /** Converts units to the axis's currency. @param {number} cost */
  amount(cost) {
    return cost * this.#perUnit;
  }

  /** Inverse of `amount`. @param {number} amount */
  cost(amount) {
    return amount / this.#perUnit;
  }

  /** @param {number | null} cost @param {number} [step] the axis step, so that all labels have the same number of digits */
  format(cost, step = cost ?? 0) {
    if (cost === null) return '–';
    if (!this.isDollars) return formatTokens(cost, this.#language);
    return formatUsd(this.amount(cost), this.#language, this.amount(step));
  }
}
