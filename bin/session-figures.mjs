// @ts-check
/** Counts what a session holds: messages, text as it is sent, images, timestamps. */
import { readMessage } from '../lib/tokens/message.js';
import { isMessage } from './session-file.mjs';

/**
 * @typedef {import('../index.mjs').MessageLike} MessageLike
 *
 * @typedef {object} TextFigures
 * @property {number} units UTF-16 units of what is sent as text
 * @property {number} estimatedTokens in o200k_base: exact for OpenAI's models, an estimate for others
 *
 * @typedef {object} ImageFigures
 * @property {number} count
 * @property {number} units of their data; no text, so never part of {@link TextFigures}
 *
 * @typedef {object} TimestampFigures
 * @property {number} count messages that have a finite numeric one
 * @property {number} notNumeric messages whose timestamp is something else
 * @property {number} resultsWithout tool results that have none
 * @property {number | null} first the earliest
 * @property {number | null} last the latest
 */

/**
 * @param {unknown} value
 * @param {string} key
 * @returns {unknown}
 */
function field(value, key) {
  return typeof value === 'object' && value !== null ? /** @type {Record<string, unknown>} */ (value)[key] : undefined;
}

/**
 * @param {unknown} value
 * @returns {readonly unknown[]}
 */
function list(value) {
  return Array.isArray(value) ? value : [];
}

/**
 * @param {readonly MessageLike[]} messages
 * @param {(text: string) => number} countTokens
 * @returns {{ text: TextFigures, images: ImageFigures }}
 */
export function measureContent(messages, countTokens) {
  const text = { units: 0, estimatedTokens: 0 };
  const images = { count: 0, units: 0 };
  for (const message of messages) {
    if (!isMessage(message)) continue;
    const read = readMessage(message);
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

/**
 * @param {readonly MessageLike[]} messages
 * @returns {TimestampFigures}
 */
export function measureTimestamps(messages) {
  const figures = { count: 0, notNumeric: 0, resultsWithout: 0 };
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  for (const message of messages) {
    const timestamp = field(message, 'timestamp');
    if (typeof timestamp === 'number' && Number.isFinite(timestamp)) {
      figures.count += 1;
      first = Math.min(first, timestamp);
      last = Math.max(last, timestamp);
      continue;
    }
    if (timestamp !== undefined && timestamp !== null) figures.notNumeric += 1;
    if (field(message, 'role') === 'tool') figures.resultsWithout += 1;
  }
  return figures.count === 0 ? { ...figures, first: null, last: null } : { ...figures, first, last };
}

/**
 * @param {readonly MessageLike[]} messages
 * @returns {number}
 */
export function countToolResults(messages) {
  return messages.filter((message) => field(message, 'role') === 'tool').length;
}

/**
 * @typedef {{ name: string, arguments: unknown }} DeclaredCall
 */

/**
 * @param {readonly MessageLike[]} messages
 * @returns {Map<string, DeclaredCall>} by call id
 */
export function declaredCalls(messages) {
  /** @type {Map<string, DeclaredCall>} */
  const calls = new Map();
  for (const message of messages) {
    for (const call of list(field(message, 'tool_calls'))) {
      const id = field(call, 'id');
      const name = field(field(call, 'function'), 'name');
      if (typeof id === 'string' && typeof name === 'string') {
        calls.set(id, { name, arguments: field(field(call, 'function'), 'arguments') });
      }
    }
  }
  return calls;
}
