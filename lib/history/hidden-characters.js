// @ts-check
'use strict';

/** Finds characters that a reader doesn't see, and names them, because they can hide instructions to a model. */

/** Unicode's abbreviations by code point. @type {Map<number, string>} */
const NAMES = new Map([
  [0x00ad, 'SHY'],
  [0x034f, 'CGJ'],
  [0x061c, 'ALM'],
  [0x115f, 'HCF'],
  [0x1160, 'HJF'],
  [0x180e, 'MVS'],
  [0x200b, 'ZWSP'],
  [0x200c, 'ZWNJ'],
  [0x200d, 'ZWJ'],
  [0x200e, 'LRM'],
  [0x200f, 'RLM'],
  [0x2028, 'LS'],
  [0x2029, 'PS'],
  [0x202a, 'LRE'],
  [0x202b, 'RLE'],
  [0x202c, 'PDF'],
  [0x202d, 'LRO'],
  [0x202e, 'RLO'],
  [0x2060, 'WJ'],
  [0x2066, 'LRI'],
  [0x2067, 'RLI'],
  [0x2068, 'FSI'],
  [0x2069, 'PDI'],
  [0x2800, 'BLANK'],
  [0x3164, 'HF'],
  [0xfeff, 'BOM'],
  [0xffa0, 'HHF'],
]);

/** Further hidden characters, without names. @type {[number, number][]} */
const RANGES = [
  [0x00, 0x08],
  [0x0b, 0x1f],
  [0x7f, 0x9f],
  [0x2060, 0x206f],
  [0xfff9, 0xfffb],
  [0xe0000, 0xe0fff],
];
/** Zero-width non-joiner and joiner. */
const JOINERS = [0x200c, 0x200d];

/** @param {number} code */
const escaped = (code) => `\\u{${code.toString(16)}}`;
/** Characters that are hidden wherever they are. */
const hiddenAnywhere = [
  ...RANGES.map(([from, to]) => `${escaped(from)}-${escaped(to)}`),
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

module.exports = { HIDDEN, nameOfHidden };
