// @ts-check
/** `palimpsest sessions`: lists recorded sessions and what they cost. */
import { runReport, sharedHelp, sharedOptions } from '../accounts/command.mjs';
import { sessionName, sessionsIn } from '../accounts/read.mjs';
import { SessionIndex } from '../accounts/session-index.mjs';
import { spendingOf, totalOf } from '../accounts/spending.mjs';
import { parseDuration, UsageError } from '../option-values.mjs';
import { printable } from '../print.mjs';
import { renderTable, right } from '../table.mjs';
import { firstOf, formatCount, instant, money, paidText, plural, tokensText } from '../wording.mjs';

export const help = `Usage: palimpsest sessions [options] [path…]

Lists recorded sessions of coding agents, the newest last: when last used, by
which agent, in which project, how many requests, the longest prompt, and the
cost with answers. Then their total cost, by day, by project and by model.

Options:
  --since <when>      only sessions used since then: a date (2026-11-01), or how
                      long ago (7d)
  --no-cache          read all files again; else what was read before is kept in
                      the user's cache directory, by path, size and time
${sharedHelp}`;

/** @import { Account, Accounts } from '../accounts/read.mjs' */
/** @import { Period, Total } from '../accounts/spending.mjs' */

/** @param {string} text of `--since` @param {string} option @returns {number} milliseconds since 1970 */
function parseSince(text, option) {
  if (/^\d{4}-/.test(text) && !Number.isNaN(Date.parse(text))) return Date.parse(text);
  try {
    return Date.now() - parseDuration(text, option);
  } catch {
    throw new UsageError(`--since: expected a date such as 2026-11-01, or how long ago, such as 7d; got “${text}”`);
  }
}

/** Without older sessions. @param {Accounts} accounts @param {number | undefined} sinceMs @returns {Accounts} */
function usedSince(accounts, sinceMs) {
  if (sinceMs === undefined) return accounts;
  const isUsed = (/** @type {{ lastMs: number | null }} */ { lastMs }) => lastMs !== null && lastMs >= sinceMs;
  const files = accounts.files.map((file) => ({ ...file, sessions: file.sessions.filter(isUsed) }));
  return { ...accounts, files: files.filter(({ sessions, error }) => sessions.length > 0 || error !== null) };
}

/** Maximum number of projects and of models that are named. */ const maxGroups = 5;

/** @param {Account} account */
const projectOf = ({ project }) => project?.split(/[\\/]/).filter(Boolean).at(-1) ?? '';

/** The newest last: a terminal shows the end. @param {Accounts} accounts @param {import('../print.mjs').Look} look */
function sessionsTable(accounts, look) {
  const sessions = sessionsIn(accounts).sort((a, b) => (a.account.lastMs ?? 0) - (b.account.lastMs ?? 0));
  const columns = [
    { title: 'last used', dropOrder: 2 },
    { title: 'agent' },
    { title: 'project', dropOrder: 1 },
    { title: 'session', flexible: true },
    right('requests'),
    right('peak', { dropOrder: 3 }),
    right('paid'),
  ];
  const rows = sessions.map((session) => {
    const { agentName, lastMs, requests, peakTokens, bill } = session.account;
    const when = lastMs === null ? '' : instant(lastMs).slice(0, 16);
    const peak = peakTokens === 0 ? '' : tokensText(peakTokens);
    const paid = bill === null ? '' : paidText(bill);
    return [when, agentName, projectOf(session.account), sessionName(session), formatCount(requests), peak, paid];
  });
  const table = renderTable(columns, rows, look);
  return `${table}\n${costLines(sessions.map(({ account }) => account))}\n`;
}

/** By period, project and model; a request found in several files counts once. @param {Account[]} accounts */
function costLines(accounts) {
  const spending = spendingOf(accounts, Date.now());
  const hasPrices = totalOf(accounts, spending).isPriced;
  const costText = (/** @type {Total} */ { usd, units, isPriced }) => {
    // Without prices, “$0.00” would say that the tokens were free.
    if (!hasPrices && usd === 0) return isPriced ? 'nothing' : money(null, units);
    return isPriced ? money(usd, usd) : `${money(usd, usd)} and ${money(null, units)}`;
  };
  const costIn = (/** @type {Period} */ period) => costText(totalOf(accounts, spending, { period }));
  /** @param {Set<string | null>} names @param {(name: string | null) => Total} total @param {string} unnamed */
  const dearest = (names, total, unnamed) => {
    const costs = Array.from(names, (name) => ({ name: name ?? unnamed, total: total(name) }));
    costs.sort((a, b) => b.total.usd - a.total.usd);
    const texts = costs.map(({ name, total }) => `${printable(name)} ${costText(total)}`);
    return firstOf(texts, maxGroups);
  };
  const models = new Set(accounts.flatMap((account) => spending.get(account)?.models.map(({ model }) => model) ?? []));
  const projects = accounts.map((account) => projectOf(account) || null);
  const ofProject = (/** @type {string | null} */ name) => accounts.filter((_, at) => projects[at] === name);
  const byProject = dearest(new Set(projects), (name) => totalOf(ofProject(name), spending), 'no project');
  const lines = [
    `${plural(accounts.length, 'session')}, ${costIn('all')} in all: ${costIn('today')} today, ${costIn('week')} in 7 days, ${costIn('month')} in 30`,
    `by project: ${byProject}`,
    `by model: ${dearest(models, (model) => totalOf(accounts, spending, { model }), 'no model')}`,
  ];
  if ([...spending.values()].some(({ repeated }) => repeated > 0)) {
    lines.push('Requests that a resumed or copied session repeats are counted once.');
  }
  return `${lines.join('\n')}\n`;
}

export const options = { ...sharedOptions, since: parseSince, 'no-cache': Boolean };

/** @type {import('../accounts/command.mjs').AccountReport} */ const report = {
  name: 'sessions',
  async read(paths, values, prices) {
    const index = new SessionIndex({ prices, hasCacheFile: values['no-cache'] !== true });
    const { accounts, interrupted } = await index.read(paths);
    return { accounts: usedSince(accounts, values.since), interrupted };
  },
  render: sessionsTable,
};

/** @type {import('../command-line.mjs').Work} */
export const work = (values, paths) => runReport(report, paths, values);
