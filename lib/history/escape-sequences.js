// @ts-check
'use strict';

/** Colours and the like; what moves the cursor; titles and links, up to the bell or what ends a string. */
const SEQUENCE = new RegExp(
  ['\\[([0-9:;]*)([ -/]*[@-~])', '\\][^\u0007\u001b]*(?:\u0007|\u001b\\\\)', '[@-Z\\\\^-~]']
    .map((form) => `\u001b${form}`)
    .join('|'),
  'g',
);
/** `text` as it reads without its escape sequences. @param {string} text */
function plainText(text) {
  return text.includes('\u001b') ? text.replace(SEQUENCE, '') : text;
}

module.exports = { SEQUENCE, plainText };
