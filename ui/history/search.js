// @ts-check
import contents from '../../lib/history/contents.js';
import { plainText } from '../base/ansi.js';
import { matchesIn } from '../base/safe-text.js';

/**
 * Finds words in every message, also in those that are folded away.
 * @typedef {{ key: string, path: string[], part: number, from: number, to: number }} Hit `path`: the compressions that it is behind
 */

/** More than anybody steps through. */
export const MOST_HITS = 10_000;

/** @param {string} query @returns {RegExp | undefined} nothing for an empty one */
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

/**
 * @param {import('./outline.js').Outline} outline
 * @param {RegExp} pattern
 * @returns {Hit[]} in the order of the conversation; at most {@link MOST_HITS}
 */
export function hitsIn(outline, pattern) {
  /** @type {Hit[]} */
  const hits = [];
  for (const { row, path } of outline.walk()) {
    const texts = contents.searchable(outline.contentsOf(row));
    for (let part = 0; part < texts.length; part++) {
      for (const [from, to] of matchesIn(plainText(/** @type {string} */ (texts[part])), pattern)) {
        hits.push({ key: row.key, path, part, from, to });
        if (hits.length >= MOST_HITS) return hits;
      }
    }
  }
  return hits;
}
