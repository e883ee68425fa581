// @ts-check
'use strict';

const { readLanguage } = require('../arguments.js');
const native = require('../native.js');

/** @param {unknown} language */
function defaultSummaryPrompt(language) {
  return native.defaultSummaryPrompt(readLanguage('language', language) === 'zh');
}

module.exports = { defaultSummaryPrompt };
