// @ts-check
/** Options for building and querying the search indexes, shared by the build and the browser. */
import { termsOf } from './search-terms.mjs';

export const INDEX_OPTIONS = {
  fields: ['title', 'page', 'text'],
  storeFields: ['title', 'page', 'text'],
  tokenize: termsOf,
};
/** Terms of at least this length are also found with spelling errors. */
const MIN_FUZZY_LENGTH = 5;
/** Maximum number of hits of a group. */
const MAX_HITS = 7;
/** Characters of an excerpt before the found word, and of all of it. */
const BEFORE_WORD = 40;
const EXCERPT = 160;

/** @typedef {{ id: string, title: string, page: string, excerpt: string }} Hit */

/**
 * Searches one index.
 * @param {{ search: (query: string, options: any) => any[] }} index
 * @param {string} query
 * @returns {Hit[]} sections with all words of the query, then those with some
 */
export function hitsOf(index, query) {
  const options = {
    prefix: true,
    fuzzy: (/** @type {string} */ term) => (term.length >= MIN_FUZZY_LENGTH ? 0.2 : false),
    boost: { title: 4, page: 2 },
    // Ranks the main classes and functions above similar names in sub-paths and above types.
    boostDocument: (/** @type {string} */ id) => (/^api\/(classes|functions)\//.test(id) ? 1.5 : 1),
  };
  const withAllWords = index.search(query, { ...options, combineWith: 'AND' });
  const known = new Set(withAllWords.map(({ id }) => id));
  const withSome =
    withAllWords.length < MAX_HITS ? index.search(query, options).filter(({ id }) => !known.has(id)) : [];
  return [...withAllWords, ...withSome].slice(0, MAX_HITS).map(({ id, title, page, text, terms }) => {
    return { id, title, page, excerpt: excerptOf(text, [query.trim(), ...terms]) };
  });
}

/** @param {string} text @param {string[]} words the excerpt shows the first one found */
function excerptOf(text, words) {
  const lower = text.toLowerCase();
  const found = words.map((word) => lower.indexOf(word.toLowerCase())).find((offset) => offset >= 0) ?? 0;
  // Start at the beginning of a word; in Chinese, which has no spaces, anywhere.
  const earliest = found - BEFORE_WORD;
  const start = found < BEFORE_WORD * 2 ? 0 : earliest + text.slice(earliest, found).indexOf(' ') + 1;
  const shown = text.slice(start, start + EXCERPT);
  return `${start > 0 ? '…' : ''}${shown}${start + EXCERPT < text.length ? '…' : ''}`;
}
