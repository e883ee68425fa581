// @ts-check
import { formatChange, formatCount, formatShort, formatUsd } from '../base/format.js';

/**
 * @import { Language } from '../base/language.js'
 * @import { Words } from './words.js'
 * @typedef {'usd' | 'units'} Currency
 */

/** Counts below this are shown with all digits. */
const short = 10_000;

/** In dollars, or in units if no price is known. @param {number} amount @param {Currency} currency @param {Words} words @param {Language} language */
export function formatMoney(amount, currency, words, language) {
  return currency === 'usd' ? formatUsd(amount, language) : words.units(formatShort(amount, language));
}

/**
 * @param {{ usd: number, units: number }} sum @param {Words} words @param {Language} language
 * @returns {string[]} dollars, and units for what has no price in dollars
 */
export function formatSum({ usd, units }, words, language) {
  const inDollars = formatUsd(usd, language);
  if (units === 0) return [inDollars];
  const inUnits = formatMoney(units, 'units', words, language);
  return usd === 0 ? [inUnits] : [inDollars, words.home.also(inUnits)];
}

/** @param {number} tokens @param {Language} language */
export function formatTokens(tokens, language) {
  return tokens < short ? formatCount(Math.round(tokens), language) : formatShort(tokens, language);
}

/** One percentage, or both ends if they differ. @param {{ low: number, high: number }} change @param {Language} language */
export function formatRange({ low, high }, language) {
  const [from, to] = [formatChange(low, language), formatChange(high, language)];
  return from === to ? from : `${from} … ${to}`;
}
