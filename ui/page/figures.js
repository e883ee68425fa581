// @ts-check
/** Money, tokens and shares as the page says them: one form each. */
import { formatChange, formatCount, formatShort, formatUsd } from '../base/format.js';

/**
 * @import { Language } from '../base/language.js'
 * @import { Words } from './words.js'
 * @typedef {'usd' | 'units'} Currency
 */

/** Below, all digits are said. */
const short = 10_000;

/**
 * A cost in money, or, where no price is known, in what it is a multiple of.
 * @param {number} amount @param {Currency} currency @param {Words} words @param {Language} language
 */
export function formatMoney(amount, currency, words, language) {
  return currency === 'usd' ? formatUsd(amount, language) : words.units(formatShort(amount, language));
}

/**
 * A sum in dollars, and what of it can't be said in dollars.
 * @param {{ usd: number, units: number }} sum @param {Words} words @param {Language} language
 * @returns {string[]} one, or two that are said together
 */
export function formatSum({ usd, units }, words, language) {
  const inDollars = formatUsd(usd, language);
  if (units === 0) return [inDollars];
  const inUnits = formatMoney(units, 'units', words, language);
  return usd === 0 ? [inUnits] : [inDollars, words.home.also(inUnits)];
}

/** Short where it is long. @param {number} tokens @param {Language} language */
export function formatTokens(tokens, language) {
  return tokens < short ? formatCount(Math.round(tokens), language) : formatShort(tokens, language);
}

/** A change with its sign, or from the one to the other where they differ. @param {{ low: number, high: number }} change @param {Language} language */
export function formatRange({ low, high }, language) {
  const [from, to] = [formatChange(low, language), formatChange(high, language)];
  return from === to ? from : `${from} … ${to}`;
}
