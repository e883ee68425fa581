// @ts-check
/** `palimpsest sessions`: lists recorded sessions. */

import { runAccounts } from '../accounts/command.mjs';
import { SessionIndex } from '../accounts/session-index.mjs';
import { sessionsTable } from '../accounts/sessions-table.mjs';
import { help } from '../help/sessions.mjs';
import { parseDuration, UsageError } from '../option-values.mjs';

/** @typedef {import('../accounts/read.mjs').Accounts} Accounts */

/** @param {import('../accounts/command.mjs').Values} values @returns {number} milliseconds since 1970 */
function sinceOf({ since }) {
  if (typeof since !== 'string') return Number.NEGATIVE_INFINITY;
  if (/^\d{4}-/.test(since) && !Number.isNaN(Date.parse(since))) return Date.parse(since);
  try {
    return Date.now() - parseDuration('--since', since);
  } catch {
    throw new UsageError(`--since: expected a date such as 2026-11-01, or how long ago, such as 7d; got “${since}”`);
  }
}

/** @param {Accounts} accounts @param {number} sinceMs @returns {Accounts} */
function usedSince(accounts, sinceMs) {
  if (sinceMs === Number.NEGATIVE_INFINITY) return accounts;
  const isUsed = (/** @type {{ lastMs: number | null }} */ { lastMs }) => lastMs !== null && lastMs >= sinceMs;
  const files = accounts.files.map((file) => ({ ...file, sessions: file.sessions.filter(isUsed) }));
  return { ...accounts, files: files.filter(({ sessions, error }) => sessions.length > 0 || error !== null) };
}

/** @type {import('../accounts/command.mjs').AccountCommand} */
const command = {
  name: 'sessions',
  help,
  options: { since: { type: 'string' }, 'no-cache': { type: 'boolean' } },
  async read(paths, values, prices) {
    const sinceMs = sinceOf(values);
    const index = new SessionIndex({ prices, isKept: values['no-cache'] !== true });
    let last;
    for await (const step of index.read(paths)) last = step;
    if (last === undefined) throw new Error('expected at least one step');
    return { accounts: usedSince(last.accounts, sinceMs), interrupted: last.interrupted };
  },
  render: sessionsTable,
};

/** @param {string[]} words @returns {Promise<number>} the exit code */
export function run(words) {
  return runAccounts(command, words);
}
