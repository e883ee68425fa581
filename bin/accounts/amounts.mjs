// @ts-check
/** Formats costs and shares of recorded sessions; names the policies. */
import { count } from '../wording.mjs';

export const policyNames = new Map([
  ['leave-alone', 'left alone'],
  ['every-request', 'every request'],
  ['batches-20k', '20 k batches'],
  ['batches-30k', '30 k batches'],
  ['clear-above-100k', '>100 k'],
  ['by-age', 'view, by age'],
  ['view', 'ContextView'],
  ['hindsight-with-promise', 'hindsight, promise'],
  ['hindsight-search', 'hindsight, 60 wide'],
  ['hindsight', 'hindsight'],
]);

/** @param {string} list name of a price list */
export function pricesText(list) {
  return list === 'own' ? 'at the prices of each session’s own model' : `at the prices of “${list}”`;
}

/** @param {number} tokens */
export function short(tokens) {
  const size = Math.abs(tokens);
  if (size >= 1e6) return `${(tokens / 1e6).toFixed(size >= 1e8 ? 0 : 1)} M`;
  return size >= 1e3 ? `${(tokens / 1e3).toFixed(size >= 1e5 ? 0 : 1)} k` : count(Math.round(tokens));
}

/** @param {number | null} usd @param {number} units cost in input tokens, for models without a known price */
export function money(usd, units) {
  if (usd === null) return `${short(units)} tok`;
  return usd > 0 && usd < 0.01 ? '<$0.01' : `$${usd.toFixed(2)}`;
}

/** The whole bill, output included. @param {import('./read.mjs').Bill} bill */
export function paidText({ waterfall: { currency, paid } }) {
  return money(currency === 'usd' ? paid : null, paid);
}

/** @param {number | null} share */
export function percent(share) {
  if (share === null || !Number.isFinite(share)) return '';
  const text = `${Math.abs(share * 100).toFixed(1)} %`;
  if (text === '0.0 %') return text;
  return `${share < 0 ? '−' : '+'}${text}`;
}
