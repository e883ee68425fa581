// @ts-check
/** Options for building and querying the search indexes, shared by the build and the browser. */
import { termsOf } from './search-terms.mjs';

export const INDEX_OPTIONS = {
  fields: ['title', 'page', 'text'],
  storeFields: ['title', 'page', 'text'],
  tokenize: termsOf,
};
const LONG_ENOUGH_FOR_ERRORS = 5;
const SHOWN = 7;
const BEFORE_HIT = 40;
const EXCERPT = 160;

/** @typedef {{ id: string, title: string, page: string, excerpt: string }} Hit */

/**
 * @param {{ search: (query: string, options: any) => any[] }} index
 * @param {string} query
 * @returns {Hit[]} sections with all words of the query, then those with some
 */
export function hitsOf(index, query) {
  const options = {
    prefix: true,
    fuzzy: (/** @type {string} */ term) => (term.length >= LONG_ENOUGH_FOR_ERRORS ? 0.2 : false),
    boost: { title: 4, page: 2 },
    // Ranks the main classes and functions above similar names in sub-paths and above types.
    boostDocument: (/** @type {string} */ id) => (/^api\/(classes|functions)\//.test(id) ? 1.5 : 1),
  };
  const all = index.search(query, { ...options, combineWith: 'AND' });
  const known = new Set(all.map(({ id }) => id));
  const some = all.length < SHOWN ? index.search(query, options).filter(({ id }) => !known.has(id)) : [];
  return [...all, ...some].slice(0, SHOWN).map(({ id, title, page, text, terms }) => {
    return { id, title, page, excerpt: excerptOf(text, [query.trim(), ...terms]) };
  });
}

/** @param {string} text @param {string[]} words the excerpt shows the first one found */
function excerptOf(text, words) {
  const lower = text.toLowerCase();
  const at = words.map((word) => lower.indexOf(word.toLowerCase())).find((place) => place >= 0) ?? 0;
  // Start at the beginning of a word; in Chinese, which has no spaces, anywhere.
  const start = at < BEFORE_HIT * 2 ? 0 : at - BEFORE_HIT + (text.slice(at - BEFORE_HIT, at).indexOf(' ') + 1);
  const shown = text.slice(start, start + EXCERPT);
  return `${start > 0 ? '…' : ''}${shown}${start + EXCERPT < text.length ? '…' : ''}`;
}
