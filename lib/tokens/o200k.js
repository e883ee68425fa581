// @ts-check
'use strict';

const native = require('../native.js');

/** @type {InstanceType<typeof native.TokenModel> | undefined} */
let model;

/**
 * Tokens of `text` in `o200k_base`: what reports count in, whichever model the host talks to.
 * @param {string} text
 * @returns {number}
 */
function countO200k(text) {
  model ??= new native.TokenModel(undefined);
  return model.count(text);
}

/** Those of each. @param {string[]} texts @returns {number[]} */
function countEachO200k(texts) {
  model ??= new native.TokenModel(undefined);
  return model.countEach(texts);
}

module.exports = { countEachO200k, countO200k };
