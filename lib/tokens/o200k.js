// @ts-check
'use strict';

const native = require('../native.js');
const { once } = require('../once.js');

const model = once(() => new native.TokenModel(undefined));

/** Reports count in `o200k_base`, whichever model the host talks to. @param {string} text @returns {number} */
function countO200k(text) {
  return model().count(text);
}

/** @param {string[]} texts @returns {number[]} */
function countEachO200k(texts) {
  return model().countEach(texts);
}

module.exports = { countEachO200k, countO200k };
