// @ts-check
/** How costs and shares of recorded sessions are written, and what tables and plots call the policies. */
import { count } from '../wording.mjs';

/** Display names of policies. */
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

/** @param {number} tokens */
export function short(tokens) {
  const size = Math.abs(tokens);
  if (size >= 1e6) return `${(tokens / 1e6).toFixed(size >= 1e8 ? 0 : 1)} M`;
  return size >= 1e3 ? `${(tokens / 1e3).toFixed(size >= 1e5 ? 0 : 1)} k` : count(Math.round(tokens));
}

/** @param {number | null} usd @param {number} units of base input, for models of unknown price */
export function money(usd, units) {
  if (usd === null) return `${short(units)} tok`;
  return usd > 0 && usd < 0.01 ? '<$0.01' : `$${usd.toFixed(2)}`;
}

/** “Paid” is the whole bill, answers included. @param {import('./read.mjs').Bill} bill */
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
