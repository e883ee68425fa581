// @ts-check
/** Formats costs, token counts and shares of recorded sessions. */
import { count } from '../wording.mjs';

/** Titles of the compared policies: rules for when outdated results are removed. `left alone` removes none. */
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

/** @param {string} priceList its name, or `own` */
export function pricesText(priceList) {
  return priceList === 'own' ? 'at the prices of each session’s own model' : `at the prices of “${priceList}”`;
}

/** @param {number} tokens @returns {string} such as `1.5 M` or `20.0 k` */
export function tokensText(tokens) {
  const size = Math.abs(tokens);
  if (size >= 1e6) return `${(tokens / 1e6).toFixed(size >= 1e8 ? 0 : 1)} M`;
  return size >= 1e3 ? `${(tokens / 1e3).toFixed(size >= 1e5 ? 0 : 1)} k` : count(Math.round(tokens));
}

/** @param {number | null} usd null if the model's price is not known @param {number} units cost in input tokens, used then */
export function money(usd, units) {
  if (usd === null) return `${tokensText(units)} tok`;
  return usd > 0 && usd < 0.01 ? '<$0.01' : `$${usd.toFixed(2)}`;
}

/** The whole bill, output included. @param {import('./read.mjs').Bill} bill */
export function paidText({ waterfall: { currency, paid } }) {
  return money(currency === 'usd' ? paid : null, paid);
}

/** @param {number | null} share @returns {string} such as `+2.5 %` */
export function signedPercent(share) {
  if (share === null || !Number.isFinite(share)) return '';
  const text = `${Math.abs(share * 100).toFixed(1)} %`;
  if (text === '0.0 %') return text;
  return `${share < 0 ? '−' : '+'}${text}`;
}
