// @ts-check
/**
 * The sentences above the map: the size of the request, and what is cached, removed or pending in it.
 *
 * @import { Language } from '../base/language.js'
 * @import { Shows, Window } from '../picture/window.js'
 * @import { Words } from '../picture/words.js'
 */
import { formatCount, formatShare, formatTokens } from '../base/format.js';

/**
 * @param {Words} words @param {Language} language @param {Window} window the request's cells
 * @param {number | null} contextWindow the model's limit in tokens @param {Shows} shows
 */
export function summaryOf(words, language, { cells, sums }, contextWindow, shows) {
  if (cells.length === 0) return words.nothingSent;
  const count = (/** @type {number} */ value) => formatCount(value, language);
  const short = (/** @type {number} */ value) => formatTokens(value, language);
  const sentences = [
    contextWindow === null
      ? words.inAll(count(sums.sent), count(cells.length))
      : words.inWindow(count(sums.sent), short(contextWindow), formatShare(sums.sent / contextWindow, language)),
  ];
  if (sums.cachedTokens > 0) {
    const share = formatShare(sums.cachedTokens / sums.sent, language);
    sentences.push(shows === 'view' ? words.cachedSum(share) : words.readSum(share));
  }
  if (sums.cleared > 0) sentences.push(words.clearedSum(count(sums.cleared), short(sums.clearedTokens)));
  if (sums.replaced > 0) sentences.push(words.replacedSum(count(sums.replaced), short(sums.saved)));
  if (sums.short > 0) sentences.push(words.shortSum(count(sums.short), short(sums.shortSaved)));
  if (sums.pending > 0) sentences.push(words.pendingSum(count(sums.pending), short(sums.pendingTokens)));
  return sentences.join(words.sentences);
}
