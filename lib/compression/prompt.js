// @ts-check
'use strict';

const { readLanguage } = require('../arguments.js');
const native = require('../native.js');

/** The prompt that a summary model gets by default. @param {unknown} language */
function defaultSummaryPrompt(language) {
  return native.defaultSummaryPrompt(readLanguage('language', language) === 'zh');
}

module.exports = { defaultSummaryPrompt };
