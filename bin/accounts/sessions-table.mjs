// @ts-check
/** The list of sessions as a table: the newest last, where a terminal shows it, and what they cost together. */
import { renderTable } from '../table.mjs';
import { count, instant, plural } from '../wording.mjs';
import { money, paidText, short } from './amounts.mjs';
import { listed } from './figures.mjs';
import { paidOnce, totalOf } from './repeated.mjs';
import { nameOf } from './text.mjs';

/**
 * @typedef {import('./read.mjs').Account} Account
 * @typedef {import('./text.mjs').Look} Look
 */

const right = /** @type {const} */ ('right');
const dayMs = 86_400_000;
const mostProjects = 5;

/** @param {Account} account */
export function projectOf({ project }) {
  return project?.split(/[\\/]/).filter(Boolean).at(-1) ?? '';
}

/** @param {import('./read.mjs').Accounts} accounts @param {Look} look */
export function sessionsTable(accounts, { styles, width }) {
  const sessions = listed(accounts).sort((a, b) => (a.account.lastMs ?? 0) - (b.account.lastMs ?? 0));
  const columns = [
    { title: 'last used', dropOrder: 2 },
    { title: 'agent' },
    { title: 'project', dropOrder: 1 },
    { title: 'session', flexible: true },
    { title: 'requests', align: right },
    { title: 'peak', align: right, dropOrder: 3 },
    { title: 'paid', align: right },
  ];
  const rows = sessions.map((session) => {
    const { agentName, lastMs, requests, peakTokens, bill } = session.account;
    const when = lastMs === null ? '' : instant(lastMs).slice(0, 16);
    const peak = peakTokens === 0 ? '' : short(peakTokens);
    const paid = bill === null ? '' : paidText(bill);
    return [when, agentName, projectOf(session.account), nameOf(session), count(requests), peak, paid];
  });
  const table = renderTable(columns, rows, { maxWidth: width, titleStyle: styles.dim });
  return `${table}\n${totals(sessions.map(({ account }) => account))}\n`;
}

/** @param {readonly Account[]} accounts by period and by project; what several files hold is counted once */
function totals(accounts) {
  const paid = paidOnce(accounts);
  const said = (/** @type {readonly Account[]} */ some) => {
    const { usd, units, isWhole } = totalOf(some, paid);
    return isWhole ? money(usd, usd) : `${money(usd, usd)} and ${money(null, units)}`;
  };
  const now = Date.now();
  const within = (/** @type {number} */ days) => accounts.filter(({ lastMs }) => (lastMs ?? 0) > now - days * dayMs);
  const projects = new Map();
  for (const account of accounts) {
    const name = projectOf(account) || 'no project';
    projects.set(name, [...(projects.get(name) ?? []), account]);
  }
  const dearest = [...projects]
    .sort((a, b) => totalOf(b[1], paid).usd - totalOf(a[1], paid).usd)
    .slice(0, mostProjects);
  const again = accounts.reduce(
    (sum, account) => sum + (account.bill?.waterfall.paid ?? 0) - (paid.get(account) ?? 0),
    0,
  );
  const lines = [
    `${plural(accounts.length, 'session')}, ${said(accounts)} in all: ${said(within(1))} in the last day, ${said(within(7))} in 7 days, ${said(within(30))} in 30`,
    `by project: ${dearest.map(([name, some]) => `${name} ${said(some)}`).join(', ')}`,
  ];
  if (again > 0) lines.push('Requests that a resumed or copied session repeats are counted once.');
  return lines.map((line) => `${line}\n`).join('');
}
