// @ts-check
/** Measures a session's text as sent, images, timestamps and tool results. */
import { loadInternals } from './library.mjs';

/**
 * @typedef {import('../index.mjs').MessageLike} MessageLike
 *
 * @typedef {object} TextFigures
 * @property {number} units UTF-16 units of the text that is sent
 * @property {number} estimatedTokens in o200k_base: exact for OpenAI's models, an estimate for others
 *
 * @typedef {object} ImageFigures
 * @property {number} count
 * @property {number} units UTF-16 units of their data, not counted in {@link TextFigures}
 *
 * @typedef {object} TimestampFigures
 * @property {number} count messages with a valid timestamp
 * @property {number} notTimes messages with an invalid timestamp
 * @property {number} resultsWithout tool results without a timestamp
 * @property {number | null} first the earliest, in milliseconds
 * @property {number | null} last the latest
 */

/** @param {unknown} value @param {string} key @returns {unknown} */
function field(value, key) {
  return typeof value === 'object' && value !== null ? /** @type {Record<string, unknown>} */ (value)[key] : undefined;
}

/** @param {readonly MessageLike[]} messages @returns {{ text: TextFigures, images: ImageFigures }} */
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

/** @param {readonly MessageLike[]} messages @returns {TimestampFigures} */
export function measureTimestamps(messages) {
  const { timeMsOf } = loadInternals().list;
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
    if (field(message, 'role') === 'tool') figures.resultsWithout += 1;
  }
  return figures.count === 0 ? { ...figures, first: null, last: null } : { ...figures, first, last };
}

/** @param {readonly MessageLike[]} messages @returns {number} */
export function countToolResults(messages) {
  return messages.filter((message) => field(message, 'role') === 'tool').length;
}
