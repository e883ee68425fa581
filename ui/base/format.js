// @ts-check
/** Formats numbers, times and amounts, as `lib` does, and token counts. */
import format from '../../lib/history/format.js';

export const { formatChange, formatCount, formatDuration, formatShare, formatShort, formatTime, formatUsd } = format;

/**
 * `843`, `12.3K`, in Chinese `1.2万`. Rounds, because calibrated counts have fractions.
 * @param {number} tokens @param {import('./language.js').Language} language
 */
export function formatTokens(tokens, language) {
  return formatShort(Math.round(tokens), language);
}
