// @ts-check
'use strict';

/** Terminal escape sequences. The alternatives: colours and cursor movements; titles and links, up to a bell or a string terminator; others. */
const SEQUENCE = new RegExp(
  ['\\[([0-9:;]*)([ -/]*[@-~])', '\\][^\u0007\u001b]*(?:\u0007|\u001b\\\\)', '[@-Z\\\\^-~]']
    .map((form) => `\u001b${form}`)
    .join('|'),
  'g',
);

/** The text without escape sequences. @param {string} text */
function plainText(text) {
  return text.includes('\u001b') ? text.replace(SEQUENCE, '') : text;
}

module.exports = { SEQUENCE, plainText };
