// @ts-check
'use strict';

const { checkOptions } = require('../arguments.js');
const native = require('../native.js');
const { OPTIONS } = require('../option-names.js');
const { isRevoked, outOfRange, wrongType } = require('../errors.js');

/** @typedef {import('../../binding.js').JsPrices} Listed */

/** A provider's input prices, and the rules of its prompt cache. */
class Prices {
  /** @type {Readonly<Listed>} */ #listed;

  /** @param {unknown} prices a preset's name, or an object */
  constructor(prices) {
    if (typeof prices === 'object') checkOptions(prices, OPTIONS.price, 'prices');
    this.#listed = Object.freeze(native.checkPrices(prices, 'prices'));
  }

  get preset() {
    return this.#listed.preset ?? null;
  }

  get read() {
    return this.#listed.read;
  }

  get write() {
    return this.#listed.write;
  }

  get ttlMs() {
    return this.#listed.ttlMs;
  }

  get minTokens() {
    return this.#listed.minTokens;
  }

  get blockTokens() {
    return this.#listed.blockTokens;
  }

  /** @param {unknown} request `{cached, total}` @returns {number} tokens at the base price of input */
  cost(request) {
    if (typeof request !== 'object' || request === null || isRevoked(request)) {
      throw wrongType('request', 'an object {cached, total}', request);
    }
    const { cached, total } = /** @type {Record<string, unknown>} */ (request);
    const all = amount('request.total', total);
    const read = amount('request.cached', cached);
    if (read > all) throw outOfRange('request.cached', 'at most request.total', String(read));
    return native.requestCost(this.#listed, read, all);
  }

  /** @param {unknown} unchangedTokens @param {unknown} elapsedMs @returns {number} */
  cachedTokens(unchangedTokens, elapsedMs) {
    if (typeof elapsedMs !== 'number') throw wrongType('elapsedMs', 'a number of milliseconds', elapsedMs);
    if (Number.isNaN(elapsedMs)) throw outOfRange('elapsedMs', 'a number of milliseconds', 'NaN');
    return native.cachedTokens(this.#listed, amount('unchangedTokens', unchangedTokens), elapsedMs);
  }

  toJSON() {
    return this.#listed;
  }

  /** `date`: when the presets were last compared with published prices. */
  static get presets() {
    const [presets, date] = native.pricePresets();
    return { date, prices: presets.map((listed) => new Prices(listed)) };
  }
}

/** @param {string} name @param {unknown} value @returns {number} */
function amount(name, value) {
  const expected = 'a number of tokens, not negative';
  if (typeof value !== 'number') throw wrongType(name, expected, value);
  if (!(value >= 0 && value < Number.POSITIVE_INFINITY)) throw outOfRange(name, expected, String(value));
  return value;
}

module.exports = { Prices };
