// @ts-check
/**
 * Costs as people read them: in dollars where the price of a unit is known, else in units, which are tokens at the base price of
 * input.
 *
 * @import { CostPicture } from '../picture.js'
 * @import { Language } from '../base/language.js'
 */
import { formatTokens } from '../picture/tokens.js';

const LOCALES = { en: 'en-US', zh: 'zh-CN' };

export class Money {
  #language;
  #usdPerUnit;
  /** @type {Intl.NumberFormat} */
  #large;
  /** @type {Intl.NumberFormat} */
  #small;

  /** @param {Language} language @param {CostPicture} cost */
  constructor(language, { usdPerMillion = null }) {
    this.#language = language;
    this.#usdPerUnit = usdPerMillion === null ? null : usdPerMillion / 1_000_000;
    // `$` in both languages: the caption says whose dollars, and a narrow page has no room for `US$`.
    const currency = /** @type {const} */ ({ style: 'currency', currency: 'USD', currencyDisplay: 'narrowSymbol' });
    this.#large = new Intl.NumberFormat(LOCALES[language], currency);
    // A request costs cents and parts of them.
    this.#small = new Intl.NumberFormat(LOCALES[language], { ...currency, maximumSignificantDigits: 2 });
  }

  get isDollars() {
    return this.#usdPerUnit !== null;
  }

  /** A cost in what the axis counts. @param {number} cost */
  amount(cost) {
    return this.#usdPerUnit === null ? cost : cost * this.#usdPerUnit;
  }

  /** The other way round: what an axis names becomes a place on it. @param {number} amount */
  cost(amount) {
    return this.#usdPerUnit === null ? amount : amount / this.#usdPerUnit;
  }

  /** @param {number | null} cost */
  format(cost) {
    if (cost === null) return '–';
    if (this.#usdPerUnit === null) return formatTokens(cost, this.#language);
    const dollars = cost * this.#usdPerUnit;
    return (dollars < 1 ? this.#small : this.#large).format(dollars);
  }
}
