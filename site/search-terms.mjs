// @ts-check
/**
 * Splits text into search terms: words, parts of identifiers, and pairs of Chinese characters, since Chinese has no
 * spaces between words.
 */

/** Chinese characters, or a word in another script. */
const RUN = /\p{Script=Han}+|(?:(?!\p{Script=Han})[\p{L}\p{M}\p{N}_])+/gu;
const HAN = /^\p{Script=Han}/u;

/** @param {string} text @returns {string[]} terms in lower case */
export function termsOf(text) {
  return (text.match(RUN) ?? []).flatMap((run) => (HAN.test(run) ? pairsOf(run) : partsOf(run)));
}

/**
 * Pairs, and the last character alone: so a term starts at each character, and single ones are found.
 * @param {string} run
 */
function pairsOf(run) {
  const characters = [...run];
  return characters.map((character, index) => character + (characters[index + 1] ?? ''));
}

/** An identifier such as `stripForApi`, and each of its words. @param {string} run */
function partsOf(run) {
  const parts = run.match(/\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{M}]+|\p{N}+|\p{L}/gu) ?? [];
  const terms = parts.length > 1 ? [run, ...parts] : [run];
  return terms.map((part) => part.toLowerCase());
}
