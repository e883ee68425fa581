// @ts-check
/**
 * Finds matches in all messages, collapsed ones included, and steps through them.
 * @import { Outline, Path } from './outline.js'
 * @typedef {{ key: string, path: Path | undefined, textIndex: number, from: number }} Match `textIndex`: in the row's
 *   searchable texts; `from`: offset there in UTF-16 units; `path`: compressions that contain the row
 */
import levels from '../../lib/history/levels.js';
import { plainText } from '../base/ansi.js';
import { matchesIn } from '../base/safe-text.js';

/** Maximum number of matches; nobody steps through more. */ export const MAX_MATCHES = 10_000;

/** Finds the query as it is; undefined if it is empty. @param {string} query @returns {RegExp | undefined} */
export function patternOf(query) {
  const text = query.trim();
  return text === '' ? undefined : new RegExp(text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'), 'giu');
}

/** In conversation order, at most `MAX_MATCHES`. @param {Outline} outline @param {RegExp} pattern @returns {Match[]} */
export function findMatches(outline, pattern) {
  /** @type {Match[]} */ const matches = [];
  for (const { row, path } of outline.walk()) {
    const texts = levels.searchable(outline.contentsOf(row));
    for (const [textIndex, text] of texts.entries()) {
      for (const [from] of matchesIn(plainText(text), pattern)) {
        matches.push({ key: row.key, path, textIndex, from });
        if (matches.length >= MAX_MATCHES) return matches;
      }
    }
  }
  return matches;
}

/** A search and its selected match. */
export class Search {
  /** @type {RegExp | undefined} */ pattern;
  /** @type {Match[]} */ matches = [];
  /** Index of the selected match; −1 before the first step. */ selectedIndex = -1;

  /** @param {Outline} outline */
  constructor(outline) {
    this.outline = outline;
  }

  /** Starts a search. @param {string} query */
  begin(query) {
    this.pattern = patternOf(query);
    this.selectedIndex = -1;
    this.repeat();
  }

  /** Searches again after messages changed; the selected match stays if it still exists. */
  repeat() {
    const { pattern, selectedMatch } = this;
    this.matches = pattern === undefined ? [] : findMatches(this.outline, pattern);
    if (selectedMatch === undefined) return;
    const { key, textIndex, from } = selectedMatch;
    this.selectedIndex = this.matches.findIndex(
      (match) => match.key === key && match.textIndex === textIndex && match.from === from,
    );
  }

  get selectedMatch() {
    return this.matches[this.selectedIndex];
  }

  /** Selects another match. @param {number} by 1 or −1 @returns {Match | undefined} */
  step(by) {
    const { length } = this.matches;
    if (length === 0) return undefined;
    if (this.selectedIndex < 0) this.selectedIndex = by > 0 ? 0 : length - 1;
    else this.selectedIndex = (this.selectedIndex + by + length) % length;
    return this.selectedMatch;
  }
}
