// @ts-check
/**
 * Finds matches in all messages, collapsed ones included, and steps through them.
 *
 * @import { Outline, Path } from './outline.js'
 * @typedef {object} Hit a match
 * @property {string} key of its row
 * @property {Path | undefined} path
 * @property {number} part index in the message's searchable texts
 * @property {number} from offset in that text, in UTF-16 units
 * @property {number} to
 */
import contents from '../../lib/history/contents.js';
import { plainText } from '../base/ansi.js';
import { matchesIn } from '../base/safe-text.js';

/** Maximum number of matches; nobody steps through more. */
export const MAX_HITS = 10_000;

/**
 * A pattern for the query's words as they are; undefined for an empty query.
 * @param {string} query @returns {RegExp | undefined}
 */
export function patternOf(query) {
  const text = query.trim();
  return text === '' ? undefined : new RegExp(text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'), 'giu');
}

/**
 * @param {Outline} outline @param {RegExp} pattern
 * @returns {Hit[]} in the conversation's order, at most {@link MAX_HITS}
 */
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
  /** Index of the selected match; −1 before the first step. */ selected = -1;

  /** @param {Outline} outline */
  constructor(outline) {
    this.outline = outline;
  }

  /** Starts a search. @param {string} query */
  begin(query) {
    this.pattern = patternOf(query);
    this.selected = -1;
    this.repeat();
  }

  /** Searches again after messages changed; the selected match stays if it still exists. */
  repeat() {
    const { pattern, current } = this;
    this.#hits = pattern === undefined ? [] : hitsIn(this.outline, pattern);
    if (current === undefined) return;
    const { key, part, from } = current;
    this.selected = this.#hits.findIndex((hit) => hit.key === key && hit.part === part && hit.from === from);
  }

  /** Number of matches. */
  get count() {
    return this.#hits.length;
  }

  /** The selected match. */
  get current() {
    return this.#hits[this.selected];
  }

  /** Selects another match. @param {number} by 1 or −1 @returns {Hit | undefined} */
  step(by) {
    const { length } = this.#hits;
    if (length === 0) return undefined;
    if (this.selected < 0) this.selected = by > 0 ? 0 : length - 1;
    else this.selected = (this.selected + by + length) % length;
    return this.current;
  }
}
