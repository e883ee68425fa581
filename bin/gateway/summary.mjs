// @ts-check
/** What a run cost, in two lines; a third says how many requests were forwarded without being understood. */
import { tokensText } from '../accounts/amounts.mjs';
import { plural } from '../wording.mjs';

/**
 * @param {import('./server.mjs').Counts} counts
 * @param {{ cost: number, costLeftAlone: number }} ledger in tokens at the price of input
 * @param {boolean} isDry @returns {string}
 */
export function summaryText({ requests, changed, passed }, { cost, costLeftAlone }, isDry) {
  if (requests === 0) return 'palimpsest: no request for an answer came through the gateway\n';
  const [paid, other] = isDry ? [costLeftAlone, cost] : [cost, costLeftAlone];
  const treatment = isDry ? 'all sent on untouched' : `${changed} with results left out or a breakpoint set`;
  const share = costLeftAlone > 0 ? 1 - cost / costLeftAlone : 0;
  const saved = `${Math.abs(share * 100).toFixed(1)} % ${share < 0 ? 'more' : 'less'}`;
  const lines = [
    `palimpsest: ${plural(requests, 'request')}, ${treatment}; prompts cost ${tokensText(paid)} tokens at the price of input`,
    isDry
      ? `palimpsest: with outdated results left out they would have cost ${tokensText(other)} (${saved})`
      : `palimpsest: with nothing left out they would have cost ${tokensText(other)} (this was ${saved})`,
  ];
  const reasons = [...passed].map(([reason, count]) => `${count} ${reason}`);
  if (reasons.length > 0) lines.push(`palimpsest: sent on as they came, and not in these sums: ${reasons.join(', ')}`);
  return `${lines.join('\n')}\n`;
}
