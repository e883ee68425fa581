// @ts-check
/**
 * Costs are dollars where the price of a unit is known, else units: tokens at the base price of input.
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

  /** From units to what the axis counts. @param {number} cost */
  amount(cost) {
    return this.#usdPerUnit === null ? cost : cost * this.#usdPerUnit;
  }

  /** The inverse. @param {number} amount */
  cost(amount) {
    return this.#usdPerUnit === null ? amount : amount / this.#usdPerUnit;
  }

  /** @param {number | null} cost @param {number} [step] values of one axis have the same digits */
  format(cost, step) {
    if (cost === null) return '–';
    if (this.#usdPerUnit === null) return formatTokens(cost, this.#language);
    const worth = this.#usdPerUnit;
    return formatUsd(cost * worth, this.#language, step === undefined ? cost * worth : step * worth);
  }
}
