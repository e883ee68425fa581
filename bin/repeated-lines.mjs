// @ts-check
/** Measures what a view saves by replacing lines that an earlier message already holds with references. */
import { loadInner } from './library.mjs';

/**
 * @typedef {object} RepeatedLines
 * @property {number} results that would refer to lines of earlier results or calls
 * @property {number} unitsRemoved UTF-16 units of text
 * @property {number} estimatedTokensSaved
 * @property {ReferenceExample | null} example the reference that saves the most
 *
 * @typedef {{ message: number, stored: number, lines: string[] }} ReferenceExample `stored`: line count of the original result; `lines`: a reference with
 *   the lines around it, as sent
 */

/** Number of lines shown before and after a reference. */
const AROUND = 2;

/**
 * @param {readonly any[]} messages
 * @param {import('./library.mjs').Library} library
 * @param {'zh' | 'en'} [placeholderLanguage]
 * @returns {RepeatedLines}
 */
export function measureRepeatedLines(messages, library, placeholderLanguage = 'en') {
  const others = { orphans: false, terminal: false, fileReads: false, textSearch: false, placeholderLanguage };
  const prepared = library.prepareMessages(messages, { ...others, repeated: true, now: 0 });
  const { changed = 0, unitsRemoved = 0, estimatedTokensSaved = 0 } = prepared.report.byRule.repeated ?? {};
  return { results: changed, unitsRemoved, estimatedTokensSaved, example: exampleOf(messages, prepared.messages) };
}

/** @param {readonly any[]} stored @param {readonly any[]} sent @returns {ReferenceExample | null} */
function exampleOf(stored, sent) {
  const { contentOf } = loadInner().list;
  const textOf = (/** @type {any} */ message) => contentOf(message).texts.join('\n');
  /** @type {ReferenceExample | null} */ let best = null;
  let most = 0;
  stored.forEach((message, index) => {
    if (message === sent[index]) return;
    const [before, after] = [textOf(message), textOf(sent[index])];
    const saved = before.length - after.length;
    if (saved <= most) return;
    const [whole, lines] = [before.split('\n'), after.split('\n')];
    // Everything before the first reference is as stored.
    const at = lines.findIndex((line, nth) => line !== whole[nth]);
    most = saved;
    const shown = lines.slice(Math.max(0, at - AROUND), at + AROUND + 1);
    best = { message: index, stored: whole.length, lines: shown };
  });
  return best;
}
