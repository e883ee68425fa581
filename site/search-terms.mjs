// @ts-check
/** What is looked for in a text: words, parts of names, and pairs of Chinese characters, which have no spaces between words. */

const RUN = /\p{Script=Han}+|(?:(?!\p{Script=Han})[\p{L}\p{M}\p{N}_])+/gu;
const HAN = /^\p{Script=Han}/u;

/** @param {string} text @returns {string[]} in lower case */
export function termsOf(text) {
  return (text.match(RUN) ?? []).flatMap((run) => (HAN.test(run) ? pairsOf(run) : partsOf(run)));
}

/** The last character stands alone, so that each one begins a term and is found by itself. @param {string} run */
function pairsOf(run) {
  const characters = [...run];
  return characters.map((character, at) => character + (characters[at + 1] ?? ''));
}

/** `ERR_PALIMPSEST_NATIVE` and `stripForApi` as they are, and each of their words. @param {string} run */
function partsOf(run) {
  const parts = run.match(/\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{M}]+|\p{N}+|\p{L}/gu) ?? [];
  const all = parts.length > 1 ? [run, ...parts] : [run];
  return all.map((part) => part.toLowerCase());
}
