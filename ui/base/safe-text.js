// @ts-check
import { ANSI_STYLES, colouredRuns, placeInText, plainText } from './ansi.js';
import { h } from './dom.js';
import { formatCount } from './format.js';
import { HIDDEN, nameOfHidden } from './hidden-characters.js';

/**
 * Displays untrusted text: it is never markup or a link, hidden control characters are named, terminal colours are
 * kept, and long texts get a “show more” button.
 */

/** @typedef {import('./language.js').Language} Language */
/** @typedef {{ pattern?: RegExp | undefined, current?: number | undefined, language?: Language, limit?: number, onmore?: () => void }} HowShown */

/** UTF-16 units that are shown at first: a browser takes seconds to lay out a line of a megabyte. */
export const SHOWN_UNITS = 8_000;
const MORE_UNITS = 64_000;
/** UTF-16 units that are shown on each side of a match. */
const AROUND_UNITS = 1_000;

const TEXTS = {
  en: {
    more: 'Show more',
    rest: (/** @type {string} */ count) => `${count} more characters`,
    between: (/** @type {string} */ count) => `… ${count} characters …`,
  },
  zh: {
    more: '显示更多',
    rest: (/** @type {string} */ count) => `还有 ${count} 个字符`,
    between: (/** @type {string} */ count) => `… ${count} 个字符 …`,
  },
};

export const SAFE_TEXT_STYLES = `
.text { white-space: pre-wrap; overflow-wrap: anywhere; unicode-bidi: isolate; }
.hidden-character {
  margin: 0 1px; padding: 0 3px; border-radius: 3px; unicode-bidi: isolate;
  background: var(--_warning-surface); color: var(--_warning);
  font: 600 .78em/1.4 var(--_mono); white-space: nowrap;
}
.text mark { background: var(--_match); color: inherit; border-radius: 2px; }
.text mark.current { background: var(--_match-current); outline: 2px solid var(--_match-current); }
.more { display: flex; gap: 8px; align-items: center; margin-block: 4px; font-family: var(--_font); white-space: normal; color: var(--_muted); }
${ANSI_STYLES}`;

/**
 * @param {string} text
 * @param {HowShown} [how] `pattern` (flags `gu`): matches to highlight; `current`: start of the selected match; `limit`
 *   in UTF-16 units; `onmore` is called after the button has shown more
 * @returns {HTMLElement} a `div.text`
 */
export function safeText(text, { language = 'en', limit = SHOWN_UNITS, ...how } = {}) {
  const element = h('div', { class: 'text', part: 'text', dir: 'auto' });
  fillText(element, text, { ...how, language, limit });
  return element;
}

/** @param {HTMLElement} element @param {string} text @param {HowShown & { limit: number, language: Language }} how */
function fillText(element, text, how) {
  const { language, limit, onmore } = how;
  const end = text.length <= limit * 1.25 ? text.length : cutBefore(text, limit);
  element.replaceChildren(shown(text.slice(0, end), how));
  if (end === text.length) return;
  const { more, rest } = TEXTS[language];
  const show = () => {
    fillText(element, text, { ...how, limit: limit + MORE_UNITS });
    onmore?.();
  };
  const last = appendAround(element, text, end, how);
  const button = h('button', { type: 'button', onclick: show }, more);
  element.append(h('div', { class: 'more', part: 'more' }, button, rest(formatCount(text.length - last, language))));
}

/**
 * Shows the text around the selected match if it lies beyond the limit, and the size of the gap before it.
 * @param {HTMLElement} element @param {string} text @param {number} end of the text shown so far
 * @param {HowShown & { language: Language }} how
 * @returns {number} the new end
 */
function appendAround(element, text, end, { current, language, ...how }) {
  if (current === undefined || placeInText(text, current) < end) return end;
  const plain = Math.max(plainText(text.slice(0, end)).length, current - AROUND_UNITS);
  const [from, to] = [placeInText(text, plain), placeInText(text, current) + AROUND_UNITS];
  const between = TEXTS[language].between(formatCount(from - end, language));
  element.append(h('div', { class: 'more', part: 'more' }, between));
  element.append(shown(text.slice(from, to), { ...how, current: current - plain }));
  return Math.min(to, text.length);
}

/** For short texts such as names: no limit. @param {string} text @param {HowShown} [how] */
export function shown(text, { pattern, current } = {}) {
  const fragment = document.createDocumentFragment();
  const matches = pattern === undefined ? [] : matchesIn(plainText(text), pattern);
  let [from, next] = [0, 0];
  for (const run of colouredRuns(text)) {
    const parent = run.classes === '' ? fragment : h('span', { class: run.classes });
    // Both lists are sorted, and a long log may have many entries in each.
    while (next < matches.length && /** @type {[number, number]} */ (matches[next])[1] <= from) next++;
    appendMarked(parent, run.text, from, { matches, next, current });
    from += run.text.length;
    if (parent !== fragment) fragment.append(parent);
  }
  return fragment;
}

/** @param {string} text @param {RegExp} pattern with the flag `g` @returns {[from: number, to: number][]} */
export function matchesIn(text, pattern) {
  /** @type {[number, number][]} */
  const found = [];
  for (const { index, 0: match } of text.matchAll(pattern)) if (match !== '') found.push([index, index + match.length]);
  return found;
}

/**
 * @param {Node} parent @param {string} text @param {number} start offset of `text`, in the same units as `matches`
 * @param {{ matches: [number, number][], next: number, current: number | undefined }} marks `next`: index of the first
 *   match that may be in `text`
 */
function appendMarked(parent, text, start, { matches, next, current }) {
  let at = 0;
  for (let index = next; index < matches.length; index++) {
    const [from, to] = /** @type {[number, number]} */ (matches[index]);
    if (from >= start + text.length) break;
    const [first, last] = [Math.max(from - start, at), Math.min(to - start, text.length)];
    if (last <= first) continue;
    appendPlain(parent, text.slice(at, first));
    const mark = h('mark', { part: 'match', class: from === current ? 'current' : null });
    appendPlain(mark, text.slice(first, last));
    parent.appendChild(mark);
    at = last;
  }
  appendPlain(parent, text.slice(at));
}

/** @param {Node} parent @param {string} text */
function appendPlain(parent, text) {
  let rest = text.replaceAll('\r\n', '\n');
  for (let found = HIDDEN.exec(rest); found !== null; found = HIDDEN.exec(rest)) {
    if (found.index > 0) parent.appendChild(document.createTextNode(rest.slice(0, found.index)));
    parent.appendChild(h('span', { class: 'hidden-character', part: 'hidden-character' }, nameOfHidden(found[0])));
    rest = rest.slice(found.index + found[0].length);
  }
  if (rest !== '') parent.appendChild(document.createTextNode(rest));
}

/**
 * Returns an offset near `limit`: the end of a line, or at least a place that doesn't split a surrogate pair.
 * @param {string} text @param {number} limit
 */
function cutBefore(text, limit) {
  const line = text.lastIndexOf('\n', limit);
  if (line > limit * 0.7) return line;
  const code = text.charCodeAt(limit - 1);
  return code >= 0xd800 && code <= 0xdbff ? limit - 1 : limit;
}
