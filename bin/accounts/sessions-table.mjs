// @ts-check
/** Table of sessions, newest last, where a terminal shows it. */
import { printable } from '../printable.mjs';
import { renderTable } from '../table.mjs';
import { count, instant, plural } from '../wording.mjs';
import { money, paidText, short } from './amounts.mjs';
import { listed } from './figures.mjs';
import { spendingOf, totalOf } from './spending.mjs';
import { nameOf } from './text.mjs';

/**
 * @typedef {import('./read.mjs').Account} Account
 * @typedef {import('./text.mjs').Look} Look
 */

const right = /** @type {const} */ ('right');
const mostGroups = 5;

/** @param {Account} account */
function projectOf({ project }) {
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

/** Totals by period, project and model; a request found in several files counts once. @param {readonly Account[]} accounts */
function totals(accounts) {
  const spending = spendingOf(accounts, Date.now());
  const hasPrices = totalOf(accounts, spending).isWhole;
  const costText = (/** @type {readonly Account[]} */ some, /** @type {Parameters<typeof totalOf>[2]} */ of = {}) => {
    const { usd, units, isWhole } = totalOf(some, spending, of);
    // Without prices, “$0.00” would say that the tokens were free.
    if (!hasPrices && usd === 0) return isWhole ? 'nothing' : money(null, units);
    return isWhole ? money(usd, usd) : `${money(usd, usd)} and ${money(null, units)}`;
  };
  const within = `${costText(accounts, { period: 'today' })} today, ${costText(accounts, { period: 'week' })} in 7 days, ${costText(accounts, { period: 'month' })} in 30`;
  const byProject = grouped(accounts, (account) => [projectOf(account) || 'no project']);
  const byModel = grouped(accounts, (account) => spending.get(account)?.models.map(({ model }) => model) ?? []);
  const dearest = (/** @type {Map<string | null, Account[]>} */ groups, /** @type {boolean} */ isModel) => {
    const rows = [...groups].map(([name, some]) => {
      const of = isModel ? { model: name } : {};
      return { usd: totalOf(some, spending, of).usd, text: `${printable(name ?? 'no model')} ${costText(some, of)}` };
    });
    const sorted = rows.sort((a, b) => b.usd - a.usd).map(({ text }) => text);
    return `${sorted.slice(0, mostGroups).join(', ')}${sorted.length > mostGroups ? ', …' : ''}`;
  };
  const lines = [
    `${plural(accounts.length, 'session')}, ${costText(accounts)} in all: ${within}`,
    `by project: ${dearest(byProject, false)}`,
    `by model: ${dearest(byModel, true)}`,
  ];
  if ([...spending.values()].some(({ repeated }) => repeated > 0)) {
    lines.push('Requests that a resumed or copied session repeats are counted once.');
  }
  return lines.map((line) => `${line}\n`).join('');
}

/** @template K @param {readonly Account[]} accounts @param {(account: Account) => readonly K[]} keysOf @returns {Map<K, Account[]>} */
function grouped(accounts, keysOf) {
  /** @type {Map<K, Account[]>} */ const groups = new Map();
  for (const account of accounts) {
    for (const key of keysOf(account)) {
      const some = groups.get(key) ?? [];
      some.push(account);
      groups.set(key, some);
    }
  }
  return groups;
}
