// @ts-check
/** Measures what a view saves by references: a reference replaces lines that an earlier message already holds. */
import { loadInternals } from './library.mjs';

/**
 * @typedef {object} RepeatedLines
 * @property {number} results that would refer to lines of earlier results or calls
 * @property {number} unitsRemoved UTF-16 units of text
 * @property {number} estimatedTokensSaved
 * @property {ReferenceExample | null} example the reference that saves the mostSaved
 *
 * @typedef {{ message: number, stored: number, lines: string[] }} ReferenceExample
 *   `message`: index; `stored`: line count of the original result; `lines`: a reference with the lines around it, as sent
 */

/** Number of lines shown before and after a reference. */
const AROUND = 2;

/**
 * @param {readonly any[]} messages @param {import('./library.mjs').Library} library
 * @param {'zh' | 'en'} [placeholderLanguage] @returns {RepeatedLines}
 */
export function measureRepeatedLines(messages, library, placeholderLanguage = 'en') {
  const otherRulesOff = { orphans: false, terminal: false, fileReads: false, textSearch: false, placeholderLanguage };
  const prepared = library.prepareMessages(messages, { ...otherRulesOff, repeated: true, now: 0 });
  const { changed = 0, unitsRemoved = 0, estimatedTokensSaved = 0 } = prepared.report.byRule.repeated ?? {};
  return { results: changed, unitsRemoved, estimatedTokensSaved, example: exampleOf(messages, prepared.messages) };
}

/** @param {readonly any[]} stored @param {readonly any[]} sent @returns {ReferenceExample | null} */
function exampleOf(stored, sent) {
  const { contentOf } = loadInternals().list;
  const textOf = (/** @type {any} */ message) => contentOf(message).texts.join('\n');
  /** @type {ReferenceExample | null} */ let best = null;
  let mostSaved = 0;
  stored.forEach((message, index) => {
    if (message === sent[index]) return;
    const [before, after] = [textOf(message), textOf(sent[index])];
    const saved = before.length - after.length;
    if (saved <= mostSaved) return;
    const [storedLines, sentLines] = [before.split('\n'), after.split('\n')];
    // Everything before the first reference is as stored.
    const first = sentLines.findIndex((line, at) => line !== storedLines[at]);
    mostSaved = saved;
    const shown = sentLines.slice(Math.max(0, first - AROUND), first + AROUND + 1);
    best = { message: index, stored: storedLines.length, lines: shown };
  });
  return best;
}
