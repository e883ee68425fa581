// @ts-check
'use strict';

/** @typedef {import('./texts.js').Language} Language */

const LOCALES = { en: 'en', zh: 'zh-CN' };
/** @type {Map<string, Intl.NumberFormat>} */ const numbers = new Map();
/** @type {Map<string, Intl.DateTimeFormat>} */ const times = new Map();

/** @param {Language} language @param {Intl.NumberFormatOptions} options */
function numberFormat(language, options) {
  const key = `${language}${JSON.stringify(options)}`;
  const format = numbers.get(key) ?? new Intl.NumberFormat(LOCALES[language], options);
  numbers.set(key, format);
  return format;
}

/** @param {Intl.NumberFormatOptions} options @returns {(number: number, language: Language) => string} */
const formatter = (options) => (number, language) => numberFormat(language, options).format(number);

/** `12,345`. */ const formatCount = formatter({ maximumFractionDigits: 0 });
/** `12.3K`, in Chinese `1.2万`. */ const formatShort = formatter({ notation: 'compact', maximumFractionDigits: 1 });
/** A share of 1: `83%`. */ const formatShare = formatter({ style: 'percent', maximumFractionDigits: 0 });
const formatSigned = formatter({ style: 'percent', signDisplay: 'exceptZero', maximumFractionDigits: 1 });

/** `−5.3%`, `+12%`. @param {number} change a share @param {Language} language */
const formatChange = (change, language) => withMinus(formatSigned(change, language));
/** @param {string} text */ const withMinus = (text) => text.replace('-', '−');

/**
 * `$1.50`, `$0.073`: small sums have two significant digits. `$` in both languages, because a narrow page has no room for `US$`.
 * @param {number} usd @param {Language} language @param {number} [smallest] the smallest sum to distinguish from 0, such as an axis' step
 */
function formatUsd(usd, language, smallest = usd) {
  const size = Math.abs(smallest);
  const digits = size > 0 && size < 0.1 ? Math.min(8, 1 - Math.floor(Math.log10(size))) : 2;
  const fractions = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  /** @type {Intl.NumberFormatOptions} */
  const options = { style: 'currency', currency: 'USD', currencyDisplay: 'narrowSymbol', ...fractions };
  return withMinus(numberFormat(language, options).format(usd));
}

/** `1.2 s`, `2 min 5 s`. @param {number} ms @param {Language} language */
function formatDuration(ms, language) {
  const [minuteUnit, secondUnit] = language === 'zh' ? ['分', '秒'] : ['min', 's'];
  const seconds = ms / 1000;
  if (seconds < 60) return `${seconds < 10 ? seconds.toFixed(1) : Math.floor(seconds)} ${secondUnit}`;
  return `${Math.floor(seconds / 60)} ${minuteUnit} ${Math.floor(seconds % 60)} ${secondUnit}`;
}

/** The reader's local time, and ISO 8601; undefined for an invalid time. @param {number} ms since 1970 @param {Language} language */
function formatTime(ms, language) {
  const date = new Date(ms);
  if (Number.isNaN(date.getTime())) return undefined;
  const format =
    times.get(language) ?? new Intl.DateTimeFormat(LOCALES[language], { dateStyle: 'medium', timeStyle: 'short' });
  times.set(language, format);
  return { text: format.format(date), datetime: date.toISOString() };
}

module.exports = { formatChange, formatCount, formatDuration, formatShare, formatShort, formatTime, formatUsd };
