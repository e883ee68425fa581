// @ts-check
/**
 * Costs are in dollars if the price of a unit is known, else in units: tokens at the base input price.
 *
 * @import { CostPicture } from '../picture.js'
 * @import { Language } from '../base/language.js'
 */
import { formatUsd } from '../base/format.js';
import { formatTokens } from '../picture/tokens.js';

export class Money {
  #language;
  #usdPerUnit;

  /** @param {Language} language @param {CostPicture} cost */
  constructor(language, { usdPerMillion = null }) {
    this.#language = language;
    this.#usdPerUnit = usdPerMillion === null ? null : usdPerMillion / 1_000_000;
  }

  get isDollars() {
    return this.#usdPerUnit !== null;
  }

  /** Converts units to the axis's currency. @param {number} cost */
  amount(cost) {
    return this.#usdPerUnit === null ? cost : cost * this.#usdPerUnit;
  }

  /** Inverse of `amount`. @param {number} amount */
  cost(amount) {
    return this.#usdPerUnit === null ? amount : amount / this.#usdPerUnit;
  }

  /** @param {number | null} cost @param {number} [step] the axis step, so that all labels have the same number of digits */
  format(cost, step) {
    if (cost === null) return '–';
    if (this.#usdPerUnit === null) return formatTokens(cost, this.#language);
    const usdPerUnit = this.#usdPerUnit;
    return formatUsd(cost * usdPerUnit, this.#language, step === undefined ? cost * usdPerUnit : step * usdPerUnit);
  }
}
