// @ts-check
'use strict';

const { outOfRange } = require('../errors.js');
const native = require('../native.js');

/** @param {unknown} language */
function defaultSummaryPrompt(language) {
  if (language !== 'zh' && language !== 'en') throw outOfRange('language', "'zh' or 'en'", `'${String(language)}'`);
  return native.defaultSummaryPrompt(language === 'zh');
}

module.exports = { defaultSummaryPrompt };
