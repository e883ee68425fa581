// @ts-check
'use strict';

const native = require('../native.js');
const { once } = require('../once.js');

const model = once(() => new native.TokenModel(undefined));

/** Counts in `o200k_base`, the unit of cleanup reports, whichever model the application uses. @param {string} text @returns {number} */
function countO200k(text) {
  return model().count(text);
}

/** @param {string[]} texts @returns {number[]} */
function countEachO200k(texts) {
  return model().countEach(texts);
}

module.exports = { countEachO200k, countO200k };
