// @ts-check
/** Texts that tokenizers count wrong, and texts for which they are slow. */
import { oneOf } from '../../bench/promise/random.mjs';

/** Alphabets by name: ranges of code points. @type {Record<string, number[][]>} */
const ALPHABETS = {
  latin: [[0x61, 0x7a]],
  capitals: [[0x41, 0x5a]],
  ascii: [[0x20, 0x7e]],
  accented: [[0xc0, 0x24f]],
  phonetic: [[0x250, 0x2ff]],
  combining: [
    [0x300, 0x36f],
    [0x61, 0x7a],
  ],
  greek: [
    [0x391, 0x3a1],
    [0x3a3, 0x3c9],
  ],
  cyrillic: [[0x400, 0x4ff]],
  armenian: [
    [0x531, 0x556],
    [0x561, 0x586],
  ],
  hebrew: [
    [0x5d0, 0x5ea],
    [0x5b0, 0x5bc],
  ],
  arabic: [[0x620, 0x669]],
  devanagari: [
    [0x904, 0x939],
    [0x93e, 0x94d],
    [0x966, 0x96f],
  ],
  bengali: [
    [0x995, 0x9a8],
    [0x9be, 0x9c4],
  ],
  tamil: [
    [0xb92, 0xb95],
    [0xbbe, 0xbc2],
  ],
  thai: [
    [0xe01, 0xe3a],
    [0xe40, 0xe59],
  ],
  tibetan: [
    [0xf40, 0xf47],
    [0xf71, 0xf7e],
  ],
  georgian: [
    [0x10d0, 0x10fa],
    [0x1c90, 0x1cba],
  ],
  ethiopic: [[0x1200, 0x1248]],
  cherokee: [
    [0x13a0, 0x13f4],
    [0xab70, 0xabbf],
  ],
  khmer: [
    [0x1780, 0x17b3],
    [0x17b6, 0x17d3],
  ],
  mongolian: [[0x1820, 0x1842]],
  kana: [
    [0x3041, 0x3096],
    [0x30a1, 0x30fa],
  ],
  han: [[0x4e00, 0x9fa5]],
  rareHan: [
    [0x3400, 0x3500],
    [0x20000, 0x20400],
  ],
  hangul: [[0xac00, 0xd7a3]],
  jamo: [
    [0x1100, 0x1112],
    [0x1161, 0x1175],
  ],
  fullWidth: [
    [0xff01, 0xff5e],
    [0x3000, 0x3011],
  ],
  digits: [[0x30, 0x39]],
  otherDigits: [
    [0x660, 0x669],
    [0x966, 0x96f],
    [0xb2, 0xb3],
    [0xbd, 0xbd],
    [0x2160, 0x216b],
  ],
  punctuation: [
    [0x21, 0x2f],
    [0x3a, 0x40],
    [0x5b, 0x60],
    [0x7b, 0x7e],
  ],
  otherPunctuation: [
    [0x2010, 0x2027],
    [0x3001, 0x3003],
    [0xa1, 0xbf],
  ],
  symbols: [
    [0x2190, 0x21ff],
    [0x2200, 0x22ff],
    [0x2500, 0x257f],
  ],
  emoji: [
    [0x1f300, 0x1f64f],
    [0x1f3fb, 0x1f3ff],
    [0x200d, 0x200d],
    [0xfe0f, 0xfe0f],
  ],
  flags: [[0x1f1e6, 0x1f1ff]],
  control: [
    [0x00, 0x1f],
    [0x7f, 0x9f],
  ],
  whiteSpace: [
    [0x20, 0x20],
    [0x09, 0x0d],
    [0x85, 0x85],
    [0xa0, 0xa0],
    [0x2000, 0x200a],
    [0x2028, 0x2029],
    [0x3000, 0x3000],
    [0xfeff, 0xfeff],
  ],
  invisible: [
    [0x200b, 0x200f],
    [0xad, 0xad],
    [0xfeff, 0xfeff],
    [0x2060, 0x2064],
  ],
  loneSurrogates: [
    [0xd800, 0xdfff],
    [0x61, 0x63],
  ],
  gothic: [[0x10330, 0x1034a]],
  deseret: [[0x10400, 0x1044f]],
  mathematical: [
    [0x1d400, 0x1d454],
    [0x1d7ce, 0x1d7ff],
  ],
  privateUse: [
    [0xe000, 0xe010],
    [0xf0000, 0xf0010],
  ],
};

const PHRASES = [
  '<|endoftext|>',
  '<|endofprompt|>',
  '<|fim_prefix|>',
  '<|im_start|>',
  "don't",
  "I'LL",
  "'ſ",
  "'s",
  '’s',
  '\r\n',
  '\n\n',
  '   ',
  ' \n',
  '\u001b[31m',
  '{"stdout":"',
  '\\n',
  '//',
  ' the',
  'HTTPServer',
  'https://',
  '2026-11-21T03:12:42.123Z',
  'e\u0301',
  '👩‍👩‍👧',
];

/** @typedef {() => number} Random uniform in 0..1 */

/** @param {Random} random @param {number[][]} ranges */
function character(random, ranges) {
  const [first = 0, last = 0] = oneOf(random, ranges);
  return String.fromCodePoint(first + Math.floor(random() * (last - first + 1)));
}

/**
 * Letters and marks added in Unicode 17: a Node.js with its tables classifies them differently from tiktoken, which
 * uses Unicode 16. Two lone surrogates that meet by chance can form any character.
 */
const NEW_CHARACTERS =
  /[\u{10940}-\u{1095f}\u{10ec5}-\u{10ec7}\u{10ed0}-\u{10ed8}\u{10efa}\u{10efb}\u{11b60}-\u{11b67}\u{11db0}-\u{11de9}\u{16ea0}-\u{16ed3}\u{16ff2}-\u{16ff6}\u{187f8}-\u{187ff}\u{18d09}-\u{18df2}\u{1e6c0}-\u{1e6ff}\u{2b73a}-\u{2b73f}\u{2cea2}-\u{2cead}\u{323b0}-\u{33479}]/gu;

/** A text of one to eight runs, each of one alphabet, with phrases in between. @param {Random} random */
export function mixedText(random) {
  const names = Object.keys(ALPHABETS);
  let text = '';
  for (let runs = 1 + Math.floor(random() * 8); runs > 0; runs--) {
    if (random() < 0.25) text += oneOf(random, PHRASES);
    const ranges = ALPHABETS[oneOf(random, names)] ?? [];
    for (let length = 1 + Math.floor(random() ** 2 * 24); length > 0; length--) text += character(random, ranges);
    if (random() < 0.4) text += ' ';
  }
  return text.replace(NEW_CHARACTERS, '');
}

/** Inputs for which some tokenizers need quadratic time. @type {Record<string, (length: number, random: Random) => string>} */
export const WORST_CASES = {
  'one letter': (length) => 'a'.repeat(length),
  spaces: (length) => ' '.repeat(length),
  dashes: (length) => '-'.repeat(length),
  'line breaks': (length) => '\n'.repeat(length),
  'random lower-case letters': (length, random) => randomText(length, random, 'abcdefghijklmnopqrstuvwxyz'),
  base64: (length, random) =>
    randomText(length, random, 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'),
};

/** @param {number} length @param {Random} random @param {string} alphabet */
function randomText(length, random, alphabet) {
  return Array.from({ length }, () => alphabet[Math.floor(random() * alphabet.length)]).join('');
}
