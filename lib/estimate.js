// @ts-check
'use strict';

const native = require('./native.js');
const { wrongType } = require('./errors.js');

/**
 * Estimates tokens from what the characters are. Not a tokenizer's count.
 * @param {string} text
 * @returns {number}
 */
function estimateTokens(text) {
  if (typeof text !== 'string') throw wrongType('text', 'a string', text);
  return native.estimateTokens(text);
}

module.exports = { estimateTokens };
