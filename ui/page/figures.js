// @ts-check
/**
 * Formats amounts of money and figures of a bill. A unit is the price of one uncached input token.
 * @import { Language } from '../base/element.js'
 * @import { BillPicture, SessionPicture } from '../picture.js'
 * @import { Words } from './words.js'
 * @typedef {'usd' | 'units'} Currency
 * @typedef {BillPicture['losses'][number]['requests']} Requests those that lost the cache
 * @typedef {{ cause: string, cost: number, requests: Requests }} Loss cache misses with the same cause, in words
 * @typedef {{ what: string, figure: string, bar: [from: number, to: number], requests?: Requests | undefined }} BillPart
 *   `bar`: start and end as shares of the bill; `requests`: for a loss
 */
import { formatChange, formatShort, formatUsd } from '../base/format.js';

/** Counts below this are shown with all digits. */
const MIN_SHORTENED = 10_000;

/** @param {number} amount @param {Currency} currency @param {Words} words */
export function formatMoney(amount, currency, words) {
  return currency === 'usd' ? formatUsd(amount, words.language) : words.units(formatShort(amount, words.language));
}

/** Formats amounts in the currency of a picture's bill. @param {SessionPicture} picture @param {Words} words */
export function moneyOf({ bill }, words) {
  return (/** @type {number} */ amount) => formatMoney(amount, bill?.currency ?? 'units', words);
}

/** In dollars, in units without a price, or both. @param {{ usd: number, units: number }} sum @param {Words} words */
export function formatSum({ usd, units }, words) {
  const inDollars = formatMoney(usd, 'usd', words);
  if (units === 0) return [inDollars];
  const inUnits = formatMoney(units, 'units', words);
  return usd === 0 ? [inUnits] : [inDollars, words.home.also(inUnits)];
}

/** The bill's cache misses by cause. @param {BillPicture} bill @param {Words} words @returns {Loss[]} */
export function lossesOf({ losses }, words) {
  return losses.map(({ cause, surprise = null, cost, requests }) => {
    const surpriseName = surprise === null ? undefined : words.surprises[surprise];
    return { cause: surpriseName ?? words.causes[cause], cost, requests };
  });
}

/** Add up to the bill. @param {BillPicture} bill @param {Loss[]} losses @param {Words} words @returns {BillPart[]} */
export function billParts(bill, losses, words) {
  /** @type {[what: string, amount: number, requests?: Requests][]} */
  const parts = [
    [words.newInput, bill.newInput],
    [bill.hasCache ? words.reread : words.resent, bill.reread],
    ...losses.map(
      ({ cause, cost, requests }) =>
        /** @type {[string, number, Requests]} */ ([words.loss(cause, words.number(requests.length)), cost, requests]),
    ),
    [words.output, bill.output],
  ];
  let end = 0;
  return parts.map(([what, amount, requests]) => {
    const share = bill.paid > 0 ? amount / bill.paid : 0;
    const start = end;
    end += share;
    return {
      what,
      figure: `${formatMoney(amount, bill.currency, words)} · ${words.share(share)}`,
      bar: [start, end],
      requests,
    };
  });
}

/** Says where the bill's figures come from. @param {SessionPicture} picture @param {Words} words */
export function basisOf({ bill = null, isRecorded = false, pricesDate = '' }, words) {
  if (bill === null) return '';
  if (isRecorded) return words.asRecorded;
  return bill.currency === 'usd' ? words.atListPrices(pricesDate) : words.noPrice;
}

/** `843`, `12.3K`. @param {number} tokens @param {Words} words */
export function formatCountShort(tokens, words) {
  return tokens < MIN_SHORTENED ? words.number(Math.round(tokens)) : formatShort(tokens, words.language);
}

/** Both ends if they differ. @param {{ low: number, high: number }} change @param {Language} language */
export function formatRange({ low, high }, language) {
  const [from, to] = [formatChange(low, language), formatChange(high, language)];
  return from === to ? from : `${from} … ${to}`;
}
