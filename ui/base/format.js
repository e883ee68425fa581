// @ts-check
/** Formats numbers, times and amounts, as `lib` does, and adds these formats to texts. */
import format from '../../lib/history/format.js';

/**
 * @import { Language } from './element.js'
 * @typedef {(...values: string[]) => string} Sentence with placeholders, because word order differs between languages
 * @typedef {{ [name: string]: string | Sentence | Function | Texts }} Texts
 */

export const { formatChange, formatCount, formatDuration, formatShare, formatShort, formatTime, formatUsd } = format;

/** `843`, `12.3K`, in Chinese `1.2万`. Rounds: calibrated counts have fractions. @param {number} tokens @param {Language} language */
export function formatTokens(tokens, language) {
  return formatShort(Math.round(tokens), language);
}

/** Texts with their language and its numbers. @template {object} T @param {{ en: T, zh: T }} texts */
export function withFormats({ en, zh }) {
  return { en: { ...en, ...formatsOf('en') }, zh: { ...zh, ...formatsOf('zh') } };
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
