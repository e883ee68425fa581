// @ts-check
'use strict';

const { checkOptions, readNumber } = require('../arguments.js');
const native = require('../native.js');
const { OPTIONS } = require('../option-names.js');
const { isRevoked, outOfRange, wrongType } = require('../errors.js');

/** A provider's input prices, and the rules of its prompt cache. */
class Prices {
  /** @type {Readonly<import('../../binding.js').JsPrices>} */ #prices;

  /** @param {unknown} prices a preset's name, or an object */
  constructor(prices) {
    if (typeof prices === 'object') checkOptions(prices, OPTIONS.price, 'prices');
    this.#prices = Object.freeze(native.checkPrices(prices, 'prices'));
  }

  get preset() {
    return this.#prices.preset ?? null;
  }

  get read() {
    return this.#prices.read;
  }

  get write() {
    return this.#prices.write;
  }

  get ttlMs() {
    return this.#prices.ttlMs;
  }

  get minTokens() {
    return this.#prices.minTokens;
  }

  get blockTokens() {
    return this.#prices.blockTokens;
  }

  /** @param {unknown} request `{cached, total}`, in tokens @returns {number} tokens at the base price of input */
  cost(request) {
    if (typeof request !== 'object' || request === null || isRevoked(request)) {
      throw wrongType('request', 'an object {cached, total}', request);
    }
    const { cached, total } = /** @type {Record<string, unknown>} */ (request);
    const totalTokens = readTokens('request.total', total);
    const cachedTokens = readTokens('request.cached', cached);
    if (cachedTokens > totalTokens) throw outOfRange('request.cached', 'at most request.total', String(cachedTokens));
    return native.requestCost(this.#prices, cachedTokens, totalTokens);
  }

  /** Tokens that the cache still holds of an unchanged prefix, `elapsedMs` after it was sent. @param {unknown} unchangedTokens @param {unknown} elapsedMs @returns {number} */
  cachedTokens(unchangedTokens, elapsedMs) {
    if (typeof elapsedMs !== 'number') throw wrongType('elapsedMs', 'a number of milliseconds', elapsedMs);
    if (Number.isNaN(elapsedMs)) throw outOfRange('elapsedMs', 'a number of milliseconds', 'NaN');
    return native.cachedTokens(this.#prices, readTokens('unchangedTokens', unchangedTokens), elapsedMs);
  }

  toJSON() {
    return this.#prices;
  }

  /** `date`: when the presets were last compared with published prices. */
  static get presets() {
    const [presets, date] = native.pricePresets();
    return { date, prices: presets.map((preset) => new Prices(preset)) };
  }
}

/** @param {string} name @param {unknown} value @returns {number} */
function readTokens(name, value) {
  const expected = 'a number of tokens, not negative';
  return readNumber(name, value, (tokens) => tokens >= 0 && tokens < Number.POSITIVE_INFINITY, expected, expected);
}

module.exports = { Prices };
