// @ts-check
/** Formats numbers, times and amounts, as `lib` does, and adds these formats to texts. */
import format from '../../lib/history/format.js';

/**
 * @import { Language } from './element.js'
 * @typedef {(...values: string[]) => string} Sentence with placeholders, because word order differs between languages
 * @typedef {{ [name: string]: Pair<string> | Pair<Sentence> | Pair<object> | Pairs }} Pairs
 */
/** @template T @typedef {[en: T, zh: T]} Pair */
/** @template T @typedef {{ [Name in keyof T]: T[Name] extends [infer En, any] ? En : Texts<T[Name]> }} Texts */

export const { formatChange, formatCount, formatDuration, formatShare, formatShort, formatTime, formatUsd } = format;

/** `843`, `12.3K`, `1.2万`. Calibrated counts have fractions. @param {number} tokens @param {Language} language */
export function formatTokens(tokens, language) {
  return formatShort(Math.round(tokens), language);
}

/** The texts of both languages, with the language and its numbers. @template {Pairs} T @param {T} pairs */
export function inBothLanguages(pairs) {
  return { en: { ...textsOf(pairs, 0), ...formatsOf('en') }, zh: { ...textsOf(pairs, 1), ...formatsOf('zh') } };
}

/** @template T @param {T} pairs @param {0 | 1} index @returns {Texts<T>} */
function textsOf(pairs, index) {
  const texts = Object.entries(/** @type {Pairs} */ (pairs)).map(([name, value]) => {
    return [name, Array.isArray(value) ? value[index] : textsOf(value, index)];
  });
  return Object.fromEntries(texts);
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
