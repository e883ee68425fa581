// @ts-check
/**
 * Shows untrusted text: never as markup or links, hidden characters named, terminal colours kept, long texts cut.
 * Offsets and lengths are in UTF-16 units.
 * @import { Language } from './element.js'
 * @typedef {{ pattern?: RegExp | undefined, current?: number | undefined }} Highlight `pattern`: matches, with flags
 *   `gu`; `current`: start of the selected one in the text without escape sequences
 * @typedef {Highlight & { language: Language, limit: number }} TextOptions `limit`: length that is shown at first
 */
import hidden from '../../lib/history/hidden-characters.js';
import { ANSI_STYLES, colouredRuns, offsetInText, plainText } from './ansi.js';
import { h } from './dom.js';
import { formatCount, inBothLanguages } from './format.js';

const { HIDDEN, nameOfHidden } = hidden;
/** Length that is shown at first: a browser takes seconds to lay out a line of a megabyte. */
export const SHOWN_UNITS = 8_000;
/** Length that each press of the button adds. */ const MORE_UNITS = 64_000;
/** Length that is shown on each side of a match. */ const AROUND_UNITS = 1_000;

const WORDS = inBothLanguages({
  more: ['Show more', '显示更多'],
  rest: ['{0} more characters', '还有 {0} 个字符'],
  between: ['… {0} characters …', '… {0} 个字符 …'],
});

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

/** @param {string} text @param {Partial<TextOptions>} [options] @param {`div.text${string}`} [selector] to create */
export function safeText(text, { language = 'en', limit = SHOWN_UNITS, ...highlight } = {}, selector = 'div.text') {
  const element = /** @type {HTMLElement} */ (h(selector, { part: 'text', dir: 'auto' }));
  renderText(element, text, { ...highlight, language, limit });
  return element;
}

/** @param {HTMLElement} element @param {string} text @param {TextOptions} options */
function renderText(element, text, options) {
  const { language, limit } = options;
  const end = text.length <= limit * 1.25 ? text.length : cutOffset(text, limit);
  element.replaceChildren(safeFragment(text.slice(0, end), options));
  if (end === text.length) return;
  const { more, rest } = WORDS[language];
  const showMore = () => renderText(element, text, { ...options, limit: limit + MORE_UNITS });
  const shownEnd = appendAroundMatch(element, text, end, options);
  const button = h('button', { onclick: showMore }, more);
  element.append(h('div.more', { part: 'more' }, button, rest(formatCount(text.length - shownEnd, language))));
}

/**
 * Shows the text around the selected match if it lies beyond the limit, and the size of the gap before it.
 * @param {HTMLElement} element @param {string} text @param {number} end of the text shown so far
 * @param {TextOptions} options @returns {number} the new end of the text shown
 */
function appendAroundMatch(element, text, end, { current, language, ...options }) {
  if (current === undefined || offsetInText(text, current) < end) return end;
  const plainFrom = Math.max(plainText(text.slice(0, end)).length, current - AROUND_UNITS);
  const from = offsetInText(text, plainFrom);
  const to = offsetInText(text, current) + AROUND_UNITS;
  const between = WORDS[language].between(formatCount(from - end, language));
  element.append(h('div.more', { part: 'more' }, between));
  element.append(safeFragment(text.slice(from, to), { ...options, current: current - plainFrom }));
  return Math.min(to, text.length);
}

/** A short text: no element around it, no limit. @param {string} text @param {Highlight} [highlight] */
export function safeFragment(text, { pattern, current } = {}) {
  const fragment = document.createDocumentFragment();
  const matches = pattern === undefined ? [] : matchesIn(plainText(text), pattern);
  let runStart = 0;
  let next = 0;
  for (const run of colouredRuns(text)) {
    const parent = run.classes === '' ? fragment : h('span', { class: run.classes });
    // Both lists are sorted, and a long log may have many entries in each.
    while (next < matches.length && /** @type {[number, number]} */ (matches[next])[1] <= runStart) next++;
    appendWithMatches(parent, run.text, runStart, { matches, next, current });
    runStart += run.text.length;
    if (parent !== fragment) fragment.append(parent);
  }
  return fragment;
}

/** Start and end of each match that isn't empty. @param {string} text @param {RegExp} pattern with the flag `g` */
export function matchesIn(text, pattern) {
  /** @type {[from: number, to: number][]} */ const found = [];
  for (const { index, 0: match } of text.matchAll(pattern)) if (match !== '') found.push([index, index + match.length]);
  return found;
}

/**
 * `next`: the first match that may be in `text`; `current`: start of the selected one; `start`: offset of `text`.
 * @param {Node} parent @param {string} text @param {number} start
 * @param {{ matches: [from: number, to: number][], next: number, current: number | undefined }} found
 */
function appendWithMatches(parent, text, start, { matches, next, current }) {
  let done = 0;
  for (let index = next; index < matches.length; index++) {
    const [from, to] = /** @type {[number, number]} */ (matches[index]);
    if (from >= start + text.length) break;
    const [first, last] = [Math.max(from - start, done), Math.min(to - start, text.length)];
    if (last <= first) continue;
    appendNamingHidden(parent, text.slice(done, first));
    const mark = h('mark', { part: 'match', class: from === current ? 'current' : null });
    appendNamingHidden(mark, text.slice(first, last));
    parent.appendChild(mark);
    done = last;
  }
  appendNamingHidden(parent, text.slice(done));
}

/** Appends text in which hidden characters are replaced by their names. @param {Node} parent @param {string} text */
function appendNamingHidden(parent, text) {
  let rest = text.replaceAll('\r\n', '\n');
  for (let found = HIDDEN.exec(rest); found !== null; found = HIDDEN.exec(rest)) {
    if (found.index > 0) parent.appendChild(document.createTextNode(rest.slice(0, found.index)));
    parent.appendChild(h('span.hidden-character', { part: 'hidden-character' }, nameOfHidden(found[0])));
    rest = rest.slice(found.index + found[0].length);
  }
  if (rest !== '') parent.appendChild(document.createTextNode(rest));
}

/** Maximum length of a name, UTF-16 units. */ const MAX_NAME_UNITS = 300;
const ALL_HIDDEN = new RegExp(HIDDEN.source, `${HIDDEN.flags}g`);

/** One line of session content, such as a name, as it may be shown. @param {string} text */
export function legible(text) {
  return plainText(text.slice(0, MAX_NAME_UNITS)).replace(ALL_HIDDEN, nameOfHidden).replace(/\s+/g, ' ').trim();
}

/** A line's end near `limit`, else `limit`; never in a surrogate pair. @param {string} text @param {number} limit */
function cutOffset(text, limit) {
  const line = text.lastIndexOf('\n', limit);
  if (line > limit * 0.7) return line;
  const code = text.charCodeAt(limit - 1);
  return code >= 0xd800 && code <= 0xdbff ? limit - 1 : limit;
}
