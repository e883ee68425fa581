// @ts-check
/**
 * Measures a message list for `palimpsest report`: text as sent, images, timestamps and tool results, and what
 * sanitising, truncating and references would save. A reference replaces lines that an earlier message already holds.
 */
import { loadInternals } from './library.mjs';

/**
 * @typedef {import('../index.mjs').MessageLike} MessageLike
 * @typedef {import('../docs/command-json.js').ListReport} ListReport
 */

/** @param {unknown} value @param {string} key @returns {unknown} */
function field(value, key) {
  return typeof value === 'object' && value !== null ? /** @type {Record<string, unknown>} */ (value)[key] : undefined;
}

/** @param {readonly MessageLike[]} messages @returns {{ text: { units: number, estimatedTokens: number }, images: ListReport['images'] }} */
export function measureContent(messages) {
  const { countTokens, list } = loadInternals();
  const text = { units: 0, estimatedTokens: 0 };
  const images = { count: 0, units: 0 };
  for (const message of messages) {
    const read = list.contentOf(message);
    for (const piece of read.texts) {
      text.units += piece.length;
      text.estimatedTokens += countTokens(piece);
    }
    for (const image of read.images) {
      images.count += 1;
      images.units += image.length;
    }
  }
  return { text, images };
}

/** @param {readonly MessageLike[]} messages @returns {ListReport['timestamps']} */
export function measureTimestamps(messages) {
  const { timeMsOf, rowsOf } = loadInternals().list;
  const figures = { count: 0, notTimes: 0, resultsWithout: 0 };
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  for (const message of messages) {
    const ms = timeMsOf(message);
    if (Number.isFinite(ms)) {
      figures.count += 1;
      first = Math.min(first, ms);
      last = Math.max(last, ms);
      continue;
    }
    const timestamp = field(message, 'timestamp');
    if (timestamp !== undefined && timestamp !== null) figures.notTimes += 1;
    figures.resultsWithout += countToolResults(/** @type {any[]} */ (rowsOf([message])));
  }
  return figures.count === 0 ? { ...figures, first: null, last: null } : { ...figures, first, last };
}

/** @param {readonly MessageLike[]} rows each a message, or a result of one @returns {number} */
export function countToolResults(rows) {
  return rows.filter((row) => field(row, 'role') === 'tool').length;
}

/** @param {any} result @param {import('./library.mjs').Library} library @returns {any} */
function sanitizedResult(result, { sanitizeToolResult, sanitizeToolResultsJson }) {
  const sanitized = sanitizeToolResult(result);
  if (typeof sanitized.content === 'string') sanitized.content = sanitizeToolResultsJson(sanitized.content);
  return sanitized;
}

/**
 * @param {ReadonlySet<unknown>} messages @param {readonly any[]} rows each one of `messages`, or a result of one
 * @param {import('./library.mjs').Library} library @returns {ListReport['resultSavings']}
 */
export function measureResultSavings(messages, rows, library) {
  const { countTokens } = loadInternals();
  const limit = library.getMaxOutputLimit();
  const sanitizing = { results: 0, unitsRemoved: 0, estimatedTokensSaved: 0 };
  const truncating = { limit, results: 0, unitsRemoved: 0, estimatedTokensSaved: 0 };
  /** @type {(savings: ListReport['resultSavings']['sanitizing'], before: string, after: string) => void} */
  const add = (savings, before, after) => {
    if (after.length >= before.length) return;
    savings.results += 1;
    savings.unitsRemoved += before.length - after.length;
    savings.estimatedTokensSaved += countTokens(before) - countTokens(after);
  };
  for (const row of rows) {
    if (row?.role !== 'tool') continue;
    // A message may have further fields with binary data. Of a part of a message only the text is known here.
    const result = messages.has(row) ? row : { content: row.content };
    const sanitized = sanitizedResult(result, library);
    add(sanitizing, JSON.stringify(result), JSON.stringify(sanitized));
    if (typeof sanitized.content !== 'string') continue;
    add(truncating, sanitized.content, library.truncateOutput(sanitized.content, limit));
  }
  return { sanitizing, truncating };
}

/** Number of lines shown before and after a reference. */
const CONTEXT_LINES = 2;

/**
 * @param {readonly any[]} messages @param {import('./library.mjs').Library} library
 * @param {'zh' | 'en'} [placeholderLanguage] @returns {ListReport['repeated']}
 */
export function measureRepeatedLines(messages, library, placeholderLanguage = 'en') {
  // No rule that is on uses the time.
  const onlyReferences = {
    orphans: false,
    terminal: false,
    fileReads: false,
    textSearch: false,
    repeated: true,
    now: 0,
  };
  const prepared = library.prepareMessages(messages, { ...onlyReferences, placeholderLanguage });
  const { changed = 0, unitsRemoved = 0, estimatedTokensSaved = 0 } = prepared.report.byRule.repeated ?? {};
  return { results: changed, unitsRemoved, estimatedTokensSaved, example: exampleOf(messages, prepared.messages) };
}

/** @param {readonly any[]} stored @param {readonly any[]} sent @returns {ListReport['repeated']['example']} */
function exampleOf(stored, sent) {
  const { contentOf } = loadInternals().list;
  const textOf = (/** @type {any} */ message) => contentOf(message).texts.join('\n');
  /** @type {ListReport['repeated']['example']} */ let best = null;
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
    const shown = sentLines.slice(Math.max(0, first - CONTEXT_LINES), first + CONTEXT_LINES + 1);
    best = { message: index, stored: storedLines.length, lines: shown };
  });
  return best;
}
