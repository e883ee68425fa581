// @ts-check
'use strict';

const native = require('../native.js');
const { checkOptions } = require('../arguments.js');
const { wrongType } = require('../errors.js');

/** Counts tokens as a model's provider does. */
class TokenCounter {
  /** @param {unknown} [options] */
  constructor(options) {
    const { encoding = 'o200k_base' } = checkOptions(options) ?? {};
    if (typeof encoding !== 'string') throw wrongType('options.encoding', 'a string', encoding);
    this.native = new native.TokenEncoding(encoding);
  }

  /**
   * @param {string} text
   * @returns {number}
   */
  count(text) {
    if (typeof text !== 'string') throw wrongType('text', 'a string', text);
    return this.native.count(text);
  }
}

module.exports = { TokenCounter };
