// @ts-check
/** Renders CSV: a line for each session, a column for each policy. */
import { printable } from '../print.mjs';
import { sessionsIn } from './read.mjs';

/** @param {unknown} value @returns {string} */
function cell(value) {
  if (value === null || value === undefined) return '';
  // Line breaks are valid inside quotes; other control characters could reach a terminal.
  const text = printable(String(value), '\n\t');
  // A spreadsheet reads a leading =, +, - or @ as a formula, also after a tab or a carriage return, which is escaped above.
  const safe = typeof value === 'string' && /^(?:[=+\-@\t]|\\r)/.test(text) ? `'${text}` : text;
  return /[",\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** @param {import('./read.mjs').Account} account @returns {Map<string, number>} by price list and policy */
function costsOf({ simulations }) {
  return new Map(
    simulations.flatMap(({ prices, policies }) => policies.map(({ policy, cost }) => [`${prices}:${policy}`, cost])),
  );
}

/** @param {import('./read.mjs').Accounts} accounts @returns {string} */
export function csvOf(accounts) {
  const sessions = sessionsIn(accounts).map(({ path, account }) => ({ path, account, costs: costsOf(account) }));
  const policies = [...new Set(sessions.flatMap(({ costs }) => [...costs.keys()]))];
  const head = ['file', 'agent', 'id', 'project', 'models', 'first', 'last', 'requests', 'peak_tokens', 'compactions'];
  const bills = ['paid', 'predicted', 'unannounced', 'unannounced_requests', 'paid_usd', 'predicted_usd', 'output_usd'];
  const rows = sessions.map(({ path, account, costs }) => {
    const { agent, id, project, models, firstMs, lastMs, requests, peakTokens, compactions, bill } = account;
    const time = (/** @type {number | null} */ ms) => (ms === null ? null : new Date(ms).toISOString());
    return [
      ...[path, agent, id, project, models.join(' '), time(firstMs), time(lastMs), requests, peakTokens, compactions],
      ...[bill?.paid, bill?.predicted, bill?.unannounced, bill?.unannouncedRequests],
      ...[bill?.paidUsd, bill?.predictedUsd, bill?.outputUsd],
      ...policies.map((policy) => costs.get(policy)),
    ];
  });
  return `${[[...head, ...bills, ...policies], ...rows].map((row) => row.map(cell).join(',')).join('\n')}\n`;
}
