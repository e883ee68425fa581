// @ts-check
/**
 * What the chart says in words about one request.
 *
 * @import { Language } from '../base/language.js'
 * @import { RequestPicture } from '../picture.js'
 * @import { Words } from '../picture/words.js'
 */
import { formatCount, formatShare, formatTokens } from '../base/format.js';
import { eventsOf, signsOf } from './events.js';
import { isLoss } from './glyphs.js';
import { signName } from './kind-legend.js';

/**
 * The line below the chart.
 * @param {Words} words @param {Language} language @param {RequestPicture} request
 * @param {number} index of the request @param {number} count of requests
 */
export function readingOf(words, language, request, index, count) {
  const number = (/** @type {number} */ value) => formatCount(value, language);
  const { tokens, tokensView, cachedTokens, usage } = request;
  const parts = [words.tokens(number(tokens)), `${words.asView} ${number(tokensView)}`];
  if (cachedTokens > 0 && tokensView > 0)
    parts.push(`${words.cachedShort} ${formatShare(cachedTokens / tokensView, language)}`);
  if (usage !== null && usage !== undefined) {
    parts.push(`${words.reported} ${words.reportedPrompt(number(usage.prompt), number(usage.cacheRead))}`);
  }
  const head = words.requestOf(number(index + 1), number(count));
  return `${head}${words.colon}${[...parts, ...marksOf(words, language, request)].join(words.semicolon)}`;
}

/**
 * The request's marks in words.
 * @param {Words} words @param {Language} language @param {RequestPicture} request @returns {string[]}
 */
export function marksOf(words, language, request) {
  return eventsOf([request]).flatMap((event) =>
    signsOf(event).map((sign) => {
      const name = signName(words, sign);
      if (!isLoss(sign) || event.bust === null) return name;
      return `${name}${words.colon}${words.bustAt(formatTokens(event.bust.tokens, language))}`;
    }),
  );
}
