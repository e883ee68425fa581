// @ts-check
import contents from '../../lib/history/contents.js';
import { plainText } from '../base/ansi.js';
import { matchesIn } from '../base/safe-text.js';

/**
 * @typedef {{ key: string, path: import('./outline.js').Path | undefined, part: number, from: number, to: number }} Hit
 *   collapsed messages included
 */

/** Maximum number of matches; nobody steps through more. */
export const MAX_HITS = 10_000;

/** @param {string} query @returns {RegExp | undefined} undefined for an empty query */
export function patternOf(query) {
  if (query.trim() === '') return undefined;
  return new RegExp(
    query
      .trim()
      .replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
      .replaceAll('\\-', '-')
      .replaceAll('\\/', '/'),
    'giu',
  );
}

/** @param {import('./outline.js').Outline} outline @param {RegExp} pattern @returns {Hit[]} in the conversation's order, at most {@link MAX_HITS} */
export function hitsIn(outline, pattern) {
  /** @type {Hit[]} */
  const hits = [];
  for (const { row, path } of outline.walk()) {
    const texts = contents.searchable(outline.contentsOf(row));
    for (let part = 0; part < texts.length; part++) {
      for (const [from, to] of matchesIn(plainText(/** @type {string} */ (texts[part])), pattern)) {
        hits.push({ key: row.key, path, part, from, to });
        if (hits.length >= MAX_HITS) return hits;
      }
    }
  }
  return hits;
}

/** A search and its selected match. */
export class Search {
  /** @type {RegExp | undefined} */ pattern;
  /** @type {Hit[]} */ #hits = [];
  /** −1 before the first step. */ at = -1;

  /** @param {import('./outline.js').Outline} outline */
  constructor(outline) {
    this.outline = outline;
  }

  /** @param {string} query */
  begin(query) {
    this.pattern = patternOf(query);
    this.at = -1;
    this.renew();
  }

  /** After messages changed: keeps the selected match if it still exists. */
  renew() {
    const { pattern, current } = this;
    this.#hits = pattern === undefined ? [] : hitsIn(this.outline, pattern);
    if (current === undefined) return;
    const { key, part, from } = current;
    this.at = this.#hits.findIndex((hit) => hit.key === key && hit.part === part && hit.from === from);
  }

  get count() {
    return this.#hits.length;
  }

  get current() {
    return this.#hits[this.at];
  }

  /** @param {number} by @returns {Hit | undefined} the new match */
  step(by) {
    const { length } = this.#hits;
    if (length === 0) return undefined;
    if (this.at < 0) this.at = by > 0 ? 0 : length - 1;
    else this.at = (this.at + by + length) % length;
    return this.current;
  }
}
