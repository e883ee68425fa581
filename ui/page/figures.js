// @ts-check
/**
 * Formats amounts of money and figures of a bill. A unit is the price of one uncached input token.
 *
 * @import { Language } from '../base/language.js'
 * @import { BillPicture, SessionPicture } from '../picture.js'
 * @import { Words } from './words.js'
 * @typedef {'usd' | 'units'} Currency
 */
import { formatChange, formatCount, formatShort, formatUsd } from '../base/format.js';

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
export function causeOf({ cause, surprise = null }, words) {
  return (surprise === null ? undefined : words.surprises[surprise]) ?? words.causes[cause];
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
