// @ts-check
/**
 * Display names of kinds of content, tools, threads and price lists. Some are session content, so hidden characters are
 * named and terminal sequences removed.
 *
 * @import { CostPicture, ThreadPicture } from '../picture.js'
 * @import { Words } from './words.js'
 */
import hidden from '../../lib/history/hidden-characters.js';
import { plainText } from '../base/ansi.js';

const { HIDDEN, nameOfHidden } = hidden;

const ALL_HIDDEN = new RegExp(HIDDEN.source, `${HIDDEN.flags}g`);

/** Maximum length of a name, UTF-16 units. */
const MAX_UNITS = 300;

/** One line of session content as it may be shown. @param {string} text */
export function legible(text) {
  return plainText(text.slice(0, MAX_UNITS)).replace(ALL_HIDDEN, nameOfHidden).replace(/\s+/g, ' ').trim();
}

/** Plural name of a kind of content. A later version may add kinds. @param {Words} words @param {string} kind */
export function kindName({ kinds }, kind) {
  return Object.hasOwn(kinds, kind) ? kinds[/** @type {keyof Words['kinds']} */ (kind)] : kind;
}

/** Singular name of a kind of content. @param {Words} words @param {string} kind */
export function cellKindName({ cellKinds }, kind) {
  return Object.hasOwn(cellKinds, kind) ? cellKinds[/** @type {keyof Words['cellKinds']} */ (kind)] : kind;
}

/** Name of a thread in the list of threads. @param {Words} words @param {ThreadPicture} thread */
export function threadName(words, { kind, name }) {
  if (kind === 'main') return words.mainThread;
  const kindText = kind === 'branch' ? words.branch : words.subAgent;
  return name === null || name === undefined ? kindText : `${kindText}: ${legible(name)}`;
}

/** Name of a price list. @param {Words} words @param {CostPicture} cost */
export function pricesName(words, { prices }) {
  if (prices === 'own') return words.ownPrices;
  return prices === 'none' ? words.noPrices : legible(prices);
}
