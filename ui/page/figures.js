// @ts-check
/** Money, tokens and shares as the page says them: one form each. */
import { formatCount, formatShare, formatShort } from '../base/format.js';

/**
 * @import { Language } from '../base/language.js'
 * @import { Words } from './words.js'
 * @typedef {'usd' | 'units'} Currency
 */

/** Below, all digits are said. */
const short = 10_000;

/** `$1.23`, and as many digits as a small sum needs. @param {number} usd @param {Language} language */
export function formatUsd(usd, language) {
  const digits = Math.abs(usd) >= 0.1 || usd === 0 ? 2 : 4;
  const options = { style: 'currency', currency: 'USD', currencyDisplay: 'narrowSymbol' };
  const fractions = { minimumFractionDigits: 2, maximumFractionDigits: digits };
  const format = new Intl.NumberFormat(
    language === 'zh' ? 'zh-CN' : 'en',
    /** @type {any} */ ({ ...options, ...fractions }),
  );
  return format.format(usd).replace('-', '−');
}

/**
 * A cost in money, or, where no price is known, in what it is a multiple of.
 * @param {number} amount @param {Currency} currency @param {Words} words @param {Language} language
 */
export function formatMoney(amount, currency, words, language) {
  return currency === 'usd' ? formatUsd(amount, language) : words.units(formatShort(amount, language));
}

/** Short where it is long. @param {number} tokens @param {Language} language */
export function formatTokens(tokens, language) {
  return tokens < short ? formatCount(Math.round(tokens), language) : formatShort(tokens, language);
}

/** A share with its sign, `−12%`. @param {number} change @param {Language} language */
export function formatChange(change, language) {
  const rounded = Math.round(Math.abs(change) * 100) / 100;
  if (rounded === 0) return `±${formatShare(0, language)}`;
  return `${change < 0 ? '−' : '+'}${formatShare(rounded, language)}`;
}

/** A change with its sign, or from the one to the other where they differ. @param {{ low: number, high: number }} change @param {Language} language */
export function formatRange({ low, high }, language) {
  const [from, to] = [formatChange(low, language), formatChange(high, language)];
  return from === to ? from : `${from} … ${to}`;
}
