// @ts-check
/** Splits text into search terms: words, parts of identifiers, and pairs of Chinese characters, since Chinese has no spaces between words. */

const RUN = /\p{Script=Han}+|(?:(?!\p{Script=Han})[\p{L}\p{M}\p{N}_])+/gu;
const HAN = /^\p{Script=Han}/u;

/** @param {string} text @returns {string[]} terms in lower case */
export function termsOf(text) {
  return (text.match(RUN) ?? []).flatMap((run) => (HAN.test(run) ? pairsOf(run) : partsOf(run)));
}

/** Also yields the last character alone, so that a term starts at each character and single characters can be found. @param {string} run */
function pairsOf(run) {
  const characters = [...run];
  return characters.map((character, at) => character + (characters[at + 1] ?? ''));
}

/** Identifiers such as `ERR_PALIMPSEST_NATIVE` and `stripForApi` yield themselves and each of their words. @param {string} run */
function partsOf(run) {
  const parts = run.match(/\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{M}]+|\p{N}+|\p{L}/gu) ?? [];
  const all = parts.length > 1 ? [run, ...parts] : [run];
  return all.map((part) => part.toLowerCase());
}
