// @ts-check
/** @import { Language } from '../base/language.js' */
import { formatShort } from '../base/format.js';

/** `843`, `12.3K`, in Chinese `1.2万`. Rounds, because calibrated counts have fractions. @param {number} tokens @param {Language} language */
export function formatTokens(tokens, language) {
  return formatShort(Math.round(tokens), language);
}
