// @ts-check
/** Third-party tokenizers for comparison. */

import { createRequire } from 'node:module';
import { Tiktoken } from 'js-tiktoken/lite';
import cl100kRanks from 'js-tiktoken/ranks/cl100k_base';
import o200kRanks from 'js-tiktoken/ranks/o200k_base';

/** @typedef {'o200k_base' | 'cl100k_base'} EncodingName */

export const ENCODINGS = /** @type {const} */ (['o200k_base', 'cl100k_base']);

/**
 * The official pattern uses Unicode's white space and case folding. JavaScript's `\s` lacks U+0085 and contains U+FEFF,
 * and `ſ` matches s case-insensitively.
 * @param {string} pattern
 */
function withUnicodeClasses(pattern) {
  return pattern
    .replaceAll('\\s', '\\p{White_Space}')
    .replaceAll('\\S', '\\P{White_Space}')
    .replaceAll("'s|'S", "'[sSſ]");
}

/** @type {Map<EncodingName, Tiktoken>} */
const tiktokens = new Map();

/**
 * Slow but exact: js-tiktoken's merges with the corrected pattern. Quadratic in one long word.
 * @param {EncodingName} encoding
 * @param {string} text
 */
export function exactCount(encoding, text) {
  let tokenizer = tiktokens.get(encoding);
  if (tokenizer === undefined) {
    const ranks = encoding === 'o200k_base' ? o200kRanks : cl100kRanks;
    tokenizer = new Tiktoken({ ...ranks, pat_str: withUnicodeClasses(ranks.pat_str) });
    tiktokens.set(encoding, tokenizer);
  }
  return tokenizer.encode(text, [], []).length;
}

const require = createRequire(import.meta.url);
// The module name is computed, because its types need the browser's and the compiler would resolve them.
const gptTokenizers = Object.fromEntries(ENCODINGS.map((name) => [name, require(`gpt-tokenizer/encoding/${name}`)]));

/** Characters that gpt-tokenizer, which uses JavaScript's white space, counts wrong: U+0085 and U+FEFF. */
export const BEYOND_GPT_TOKENIZER = /[\u0085\uFEFF]/;

/** Count special tokens as plain text. */
const AS_TEXT = { disallowedSpecial: /** @type {Set<string>} */ (new Set()) };

/**
 * @param {EncodingName} encoding
 * @param {string} text without {@link BEYOND_GPT_TOKENIZER}
 * @returns {number}
 */
export function gptTokenizerCount(encoding, text) {
  return gptTokenizers[encoding].countTokens(text, AS_TEXT);
}
