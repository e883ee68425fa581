// @ts-check
/**
 * Display names of cells, tools and threads. They are session content, so hidden characters are named and terminal
 * sequences removed.
 *
 * @import { Cell, CostPicture, SessionPicture, ThreadPicture } from '../picture.js'
 * @import { Language } from '../base/language.js'
 * @import { PictureClass } from './classes.js'
 * @import { Words } from './words.js'
 */
import hidden from '../../lib/history/hidden-characters.js';
import { plainText } from '../base/ansi.js';
import { formatCount } from '../base/format.js';
import { CLEARED, PENDING, REPLACED, SHORT, tokensSent } from './window.js';
import { cellKindName, kindName } from './words.js';

const { HIDDEN, nameOfHidden } = hidden;

const ALL_HIDDEN = new RegExp(HIDDEN.source, `${HIDDEN.flags}g`);

/** Maximum length of a name, UTF-16 units. */
const MAX_UNITS = 300;

/** One line of session content as it may be shown. @param {string} text */
export function legible(text) {
  return plainText(text.slice(0, MAX_UNITS)).replace(ALL_HIDDEN, nameOfHidden).replace(/\s+/g, ' ').trim();
}

/** Name of a colour class in the legend. @param {Words} words @param {PictureClass} pictureClass */
export function className(words, { kind, tool, slot }) {
  if (tool !== null) return legible(tool);
  return slot === 'tool-other' ? words.otherTools : kindName(words, kind);
}

/**
 * What the map says of a cell: label, kind, message and how it is sent.
 * @param {Words} words @param {Language} language @param {SessionPicture} picture
 * @param {{ cell: Cell, state: number, isCached: boolean }} sending `state`: one of `window.js`
 */
export function cellName(words, language, picture, { cell, state, isCached }) {
  const kind = picture.kinds[cell.kind] ?? '';
  const tool = cell.tool === null ? null : legible(picture.tools[cell.tool] ?? '');
  const what = tool !== null && kind === 'result' ? words.resultOf(tool) : cellKindName(words, kind);
  const label = legible(cell.label);
  return [
    label === '' ? words.noLabel : label,
    // A call's label already starts with its tool.
    what,
    words.messageNumber(formatCount(cell.message + 1, language)),
    ...stateNames(words, language, cell, state),
    isCached ? words.isCached : null,
  ]
    .filter((part) => part !== null)
    .join(words.join);
}

/**
 * How a cell is sent, and since when.
 * @param {Words} words @param {Language} language @param {Cell} cell @param {number} state
 */
function stateNames(words, language, cell, state) {
  const rule = cell.rule === null ? null : words.byRule(legible(cell.rule));
  const count = (/** @type {number} */ tokens) => formatCount(tokens, language);
  if (state === REPLACED) return [words.stateReplaced(count(tokensSent(cell, state)), count(cell.tokens)), rule];
  if (state === SHORT) return [words.stateShort(count(tokensSent(cell, state)), count(cell.tokens))];
  if (state === CLEARED) {
    const since = words.fromRequest(count((cell.clearedFrom ?? 0) + 1));
    return [words.stateCleared(count(tokensSent(cell, state)), count(cell.tokens)), since];
  }
  if (state !== PENDING) return [words.tokens(count(cell.tokens))];
  const since = words.fromRequest(count((cell.staleFrom ?? 0) + 1));
  return [words.tokens(count(cell.tokens)), words.statePending, since, rule];
}

/** Name of a thread in the list of threads. @param {Words} words @param {ThreadPicture} thread */
export function threadName(words, { kind, name }) {
  if (kind === 'main') return words.mainThread;
  const what = kind === 'branch' ? words.branch : words.subAgent;
  return name === null || name === undefined ? what : `${what}: ${legible(name)}`;
}

/** Name of a price list. @param {Words} words @param {CostPicture} cost */
export function pricesName(words, { prices }) {
  if (prices === 'own') return words.ownPrices;
  return prices === 'none' ? words.noPrices : legible(prices);
}
