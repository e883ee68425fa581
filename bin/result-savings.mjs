// @ts-check
/** Measures what sanitising and truncating tool results would save. */

import { loadInternals } from './library.mjs';

/**
 * @typedef {object} Savings
 * @property {number} results tool results that would become shorter
 * @property {number} unitsRemoved UTF-16 units of JSON
 * @property {number} estimatedTokensSaved
 *
 * @typedef {object} ResultSavings
 * @property {Savings} sanitizing
 * @property {Savings & { limit: number }} truncating applied after sanitising
 */

/** @param {any} message @param {import('./library.mjs').Library} library @returns {any} */
function sanitizedMessage(message, { sanitizeToolResult, sanitizeToolResultsJson }) {
  const sanitized = sanitizeToolResult(message);
  if (typeof sanitized.content === 'string') sanitized.content = sanitizeToolResultsJson(sanitized.content);
  return sanitized;
}

/** @param {readonly any[]} messages @param {import('./library.mjs').Library} library @returns {ResultSavings} */
export function measureResultSavings(messages, library) {
  const { countTokens } = loadInternals();
  const limit = library.getMaxOutputLimit();
  const sanitizing = { results: 0, unitsRemoved: 0, estimatedTokensSaved: 0 };
  const truncating = { limit, results: 0, unitsRemoved: 0, estimatedTokensSaved: 0 };
  /** @type {(savings: Savings, before: string, after: string) => void} */
  const add = (savings, before, after) => {
    if (after.length >= before.length) return;
    savings.results += 1;
    savings.unitsRemoved += before.length - after.length;
    savings.estimatedTokensSaved += countTokens(before) - countTokens(after);
  };
  for (const message of messages) {
    if (message?.role !== 'tool') continue;
    const sanitized = sanitizedMessage(message, library);
    add(sanitizing, JSON.stringify(message), JSON.stringify(sanitized));
    if (typeof sanitized.content !== 'string') continue;
    add(truncating, sanitized.content, library.truncateOutput(sanitized.content, limit));
  }
  return { sanitizing, truncating };
}
