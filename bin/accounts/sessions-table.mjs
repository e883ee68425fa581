// @ts-check
/** The table of sessions, newest last, because a terminal shows the end of a long output; and what they cost together. */
import { printable } from '../printable.mjs';
import { renderTable, right } from '../table.mjs';
import { count, firstOf, instant, plural } from '../wording.mjs';
import { money, paidText, tokensText } from './amounts.mjs';
import { grouped, sessionsIn } from './figures.mjs';
import { spendingOf, totalOf } from './spending.mjs';
import { nameOf } from './text.mjs';

/** @typedef {import('./read.mjs').Account} Account */

/** Maximum number of projects and of models that are named. */
const maxGroups = 5;

/** @param {Account} account */
function projectOf({ project }) {
  return project?.split(/[\\/]/).filter(Boolean).at(-1) ?? '';
}

/** @param {import('./read.mjs').Accounts} accounts @param {import('../terminal.mjs').Look} look */
export function sessionsTable(accounts, look) {
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
    return [when, agentName, projectOf(session.account), nameOf(session), count(requests), peak, paid];
  });
  const table = renderTable(columns, rows, look);
  return `${table}\n${totals(sessions.map(({ account }) => account))}\n`;
}

/** Totals by period, project and model; a request found in several files counts once. @param {readonly Account[]} accounts */
function totals(accounts) {
  const spending = spendingOf(accounts, Date.now());
  const hasPrices = totalOf(accounts, spending).isWhole;
  const costText = (
    /** @type {readonly Account[]} */ group,
    /** @type {Parameters<typeof totalOf>[2]} */ filter = {},
  ) => {
    const { usd, units, isWhole } = totalOf(group, spending, filter);
    // Without prices, “$0.00” would say that the tokens were free.
    if (!hasPrices && usd === 0) return isWhole ? 'nothing' : money(null, units);
    return isWhole ? money(usd, usd) : `${money(usd, usd)} and ${money(null, units)}`;
  };
  const within = `${costText(accounts, { period: 'today' })} today, ${costText(accounts, { period: 'week' })} in 7 days, ${costText(accounts, { period: 'month' })} in 30`;
  const byProject = grouped(accounts, (account) => [projectOf(account) || 'no project']);
  const byModel = grouped(accounts, (account) => spending.get(account)?.models.map(({ model }) => model) ?? []);
  const dearest = (/** @type {Map<string | null, Account[]>} */ groups, /** @type {boolean} */ isModel) => {
    const rows = [...groups].map(([name, group]) => {
      const filter = isModel ? { model: name } : {};
      const { usd } = totalOf(group, spending, filter);
      return { usd, text: `${printable(name ?? 'no model')} ${costText(group, filter)}` };
    });
    rows.sort((a, b) => b.usd - a.usd);
    const texts = rows.map(({ text }) => text);
    return firstOf(texts, maxGroups);
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
