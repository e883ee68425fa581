// @ts-check
/**
 * Formats numbers, times and amounts, as `lib` does, and makes the texts of both languages from pairs. In a text, `{0}`
 * is the first value: word order differs between languages.
 * @import { Language } from './element.js'
 * @typedef {(...values: string[]) => string} Sentence
 * @typedef {readonly [en: string | Sentence | object, zh: string | Sentence | object]} Pair
 * @typedef {{ readonly [name: string]: Pair | Pairs }} Pairs
 */
/** @template T @typedef {T extends readonly [infer En, any] ? Text<En> : { [Key in keyof T]: Texts<T[Key]> }} Texts */
/** @template En @typedef {En extends `${string}{0}${string}` ? Sentence : En extends string ? string : En} Text */
import format from '../../lib/history/format.js';

export const { formatChange, formatCount, formatDuration, formatShare, formatShort, formatTime, formatUsd } = format;

/** `843`, `12.3K`, `1.2万`. Calibrated counts have fractions. @param {number} tokens @param {Language} language */
export function formatTokens(tokens, language) {
  return formatShort(Math.round(tokens), language);
}

/** The texts of both languages, with the language and its numbers. @template {Pairs} const T @param {T} pairs */
export function inBothLanguages(pairs) {
  return { en: { ...textsOf(pairs, 0), ...formatsOf('en') }, zh: { ...textsOf(pairs, 1), ...formatsOf('zh') } };
}

/** @template {Pairs} T @param {T} pairs @param {0 | 1} index @returns {Texts<T>} */
function textsOf(pairs, index) {
  const texts = Object.entries(pairs).map(([name, value]) => {
    if (!Array.isArray(value)) return [name, textsOf(/** @type {Pairs} */ (value), index)];
    const text = value[index];
    const hasPlaces = typeof text === 'string' && text.includes('{0}');
    return [name, hasPlaces ? (/** @type {string[]} */ ...values) => fill(text, values) : text];
  });
  return Object.fromEntries(texts);
}

/** @param {string} text with places such as `{0}` or `{cost}` @param {Record<string, string> | string[]} values */
export function fill(text, values) {
  const byPlace = /** @type {Record<string, string>} */ (values);
  return text.replace(/\{(\w+)\}/g, (_, place) => String(byPlace[place]));
}

/** @param {Language} language */
function formatsOf(language) {
  return {
    language,
    /** `12,345`. @param {number} value */
    number: (value) => formatCount(value, language),
    /** `12.3K`. @param {number} value */
    shortNumber: (value) => formatTokens(value, language),
    /** `83%`. @param {number} value */
    share: (value) => formatShare(value, language),
  };
}
