// @ts-check
'use strict';

const { readLanguage } = require('../arguments.js');
const { wrongType } = require('../errors.js');
const native = require('../native.js');

/** @param {unknown} language */
function defaultSummaryPrompt(language) {
  const spoken = readLanguage('language', language);
  if (spoken === undefined) throw wrongType('language', "'zh' or 'en'", language);
  return native.defaultSummaryPrompt(spoken === 'zh');
}

module.exports = { defaultSummaryPrompt };
