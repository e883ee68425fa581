// @ts-check
/**
 * Formats amounts of money and figures of a bill. A unit is the price of one uncached input token.
 *
 * @import { Language } from '../base/language.js'
 * @import { BillPicture, SessionPicture } from '../picture.js'
 * @import { Words } from './words.js'
 * @typedef {'usd' | 'units'} Currency
 * @typedef {BillPicture['losses'][number]['requests']} Requests those that lost the cache
 * @typedef {{ cause: string, cost: number, requests: Requests }} Loss cache misses with the same cause, in words
 * @typedef {{ what: string, figure: string, bar: [from: number, to: number], requests?: Requests | undefined }} BillPart
 *   `bar`: start and end as shares of the bill; `requests`: for a loss
 */
import { formatChange, formatCount, formatShare, formatShort, formatUsd } from '../base/format.js';

/** Counts below this are shown with all digits. */
const MIN_SHORTENED = 10_000;

/** @param {number} amount @param {Currency} currency @param {Words} words @param {Language} language */
export function formatMoney(amount, currency, words, language) {
  return currency === 'usd' ? formatUsd(amount, language) : words.units(formatShort(amount, language));
}

/**
 * A sum of costs, of which some have no price in dollars.
 * @param {{ usd: number, units: number }} sum @param {Words} words @param {Language} language
 * @returns {string[]} dollars, units or both
 */
export function formatSum({ usd, units }, words, language) {
  const inDollars = formatUsd(usd, language);
  if (units === 0) return [inDollars];
  const inUnits = formatMoney(units, 'units', words, language);
  return usd === 0 ? [inUnits] : [inDollars, words.home.also(inUnits)];
}

/**
 * Why the cache was lost, in words.
 * @param {Pick<BillPicture['losses'][number], 'cause' | 'surprise'>} loss @param {Words} words
 */
function causeOf({ cause, surprise = null }, words) {
  return (surprise === null ? undefined : words.surprises[surprise]) ?? words.causes[cause];
}

/** The bill's cache misses by cause. @param {BillPicture} bill @param {Words} words @returns {Loss[]} */
export function lossesOf({ losses }, words) {
  return losses.map(({ cost, requests, ...loss }) => ({ cause: causeOf(loss, words), cost, requests }));
}

/**
 * Parts that add up to the bill; each bar starts where the previous one ends.
 * @param {BillPicture} bill @param {readonly Loss[]} losses @param {Words} words @param {Language} language
 * @returns {BillPart[]}
 */
export function billParts(bill, losses, words, language) {
  /** @type {{ what: string, amount: number, requests?: Requests }[]} */
  const parts = [
    { what: words.newInput, amount: bill.newInput },
    { what: bill.hasCache ? words.reread : words.resent, amount: bill.reread },
    ...losses.map(({ cause, cost, requests }) => {
      return { what: words.loss(cause, formatCount(requests.length, language)), amount: cost, requests };
    }),
    { what: words.output, amount: bill.output },
  ];
  let end = 0;
  return parts.map(({ what, amount, requests }) => {
    const share = bill.paid > 0 ? amount / bill.paid : 0;
    const start = end;
    end += share;
    const figure = `${formatMoney(amount, bill.currency, words, language)} · ${formatShare(share, language)}`;
    return { what, figure, bar: [start, end], requests };
  });
}

/** Says where the bill's figures come from. @param {SessionPicture} picture @param {Words} words */
export function basisOf({ bill = null, isRecorded = false, pricesDate = '' }, words) {
  if (bill === null) return '';
  if (isRecorded) return words.asRecorded;
  return bill.currency === 'usd' ? words.atListPrices(pricesDate) : words.noPrice;
}

/** `843`, `12.3K`. @param {number} tokens @param {Language} language */
export function formatCountShort(tokens, language) {
  return tokens < MIN_SHORTENED ? formatCount(Math.round(tokens), language) : formatShort(tokens, language);
}

/** One percentage, or both ends if they differ. @param {{ low: number, high: number }} change @param {Language} language */
export function formatRange({ low, high }, language) {
  const [from, to] = [formatChange(low, language), formatChange(high, language)];
  return from === to ? from : `${from} … ${to}`;
}
