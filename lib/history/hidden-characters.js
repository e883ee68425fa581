// @ts-check
'use strict';

/** Finds what a reader of a text doesn't see: terminal escape sequences, and characters that can hide instructions to a model. */

/** Unicode's abbreviations of hidden characters, after their code points (hexadecimal). */
const ABBREVIATIONS = `
  00ad SHY    034f CGJ    061c ALM    115f HCF    1160 HJF    180e MVS    200b ZWSP   200c ZWNJ   200d ZWJ
  200e LRM    200f RLM    2028 LS     2029 PS     202a LRE    202b RLE    202c PDF    202d LRO    202e RLO
  2060 WJ     2066 LRI    2067 RLI    2068 FSI    2069 PDI    2800 BLANK  3164 HF     feff BOM    ffa0 HHF
`;
/** Abbreviations, keyed by code point. @type {Map<number, string>} */ const NAMES = new Map();
for (const [, code = '', name = ''] of ABBREVIATIONS.matchAll(/(\w+) (\w+)/g))
  NAMES.set(Number.parseInt(code, 16), name);

/** Hidden characters without names. */ const RANGES = '0-8 b-1f 7f-9f 2060-206f fff9-fffb e0000-e0fff'.split(' ');
/** Zero-width non-joiner and joiner. */ const JOINERS = [0x200c, 0x200d];

/** @param {number} code */ const escaped = (code) => `\\u{${code.toString(16)}}`;
const hiddenAnywhere = [
  ...RANGES.map((range) => range.replace(/\w+/g, '\\u{$&}')),
  ...[...NAMES.keys()].filter((code) => !JOINERS.includes(code)).map(escaped),
].join('');
const joiner = `[${JOINERS.map(escaped).join('')}]`;
const ascii = `[${escaped(0)}-${escaped(0x7f)}]`;

/**
 * Characters that hide text or change its appearance: controls except tab and line feed, format controls, fillers, tags, and variation selectors
 * that no script needs. A joiner between letters or emoji is legitimate; next to ASCII it is hidden text.
 */
const HIDDEN = new RegExp(`[${hiddenAnywhere}]|(?<=${ascii}|^)${joiner}|${joiner}(?=${ascii}|$)`, 'u');

/** The name that is shown for a hidden character: `RLO`, `U+E0041`. @param {string} character */
function nameOfHidden(character) {
  const code = /** @type {number} */ (character.codePointAt(0));
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  if (code === 0x7f) return '\u2421';
  return NAMES.get(code) ?? `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** Terminal escape sequences. The alternatives: colours and cursor movements; titles and links, up to a bell or a string terminator; others. */
const SEQUENCE = new RegExp(
  ['\\[([0-9:;]*)([ -/]*[@-~])', '\\][^\u0007\u001b]*(?:\u0007|\u001b\\\\)', '[@-Z\\\\^-~]']
    .map((form) => `\u001b${form}`)
    .join('|'),
  'g',
);

/** The text without escape sequences. @param {string} text */
const plainText = (text) => (text.includes('\u001b') ? text.replace(SEQUENCE, '') : text);

module.exports = { HIDDEN, nameOfHidden, plainText, SEQUENCE };
