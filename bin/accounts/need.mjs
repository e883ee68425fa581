// @ts-check
/** Each policy's cost and the share of later needs that it misses. */
import { printable } from '../printable.mjs';
import { renderTable, right } from '../table.mjs';
import { count, plural } from '../wording.mjs';
import { policyNames, pricesText } from './amounts.mjs';
import { listed, policyTotals } from './figures.mjs';
import { nameOf } from './text.mjs';

/**
 * @typedef {import('./read.mjs').Accounts} Accounts
 * @typedef {import('./read.mjs').Miss} Miss
 * @typedef {import('../terminal.mjs').Look} Look
 */

const things = { edit: ['line', 'lines'], quote: ['quotation', 'quotations'], name: ['name', 'names'] };

/** @param {number} part @param {number} whole */
function share(part, whole) {
  return whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`;
}

/** @param {Accounts} accounts @param {Look} look */
export function needTables(accounts, look) {
  let text = '';
  for (const [list, totals] of policyTotals(listed(accounts))) {
    const { cost: base = 0, needs: all, strongNeeds: strong = 0 } = totals.get('leave-alone') ?? {};
    if (all === undefined) continue;
    const ratio = (/** @type {number} */ cost) => (base === 0 ? '–' : (cost / base).toFixed(3));
    const rows = [...totals].flatMap(([policy, sums]) => {
      const { cost, needs, missed = 0, strongNeeds = 0, strongMissed = 0, lookUps = 0 } = sums;
      if (needs === undefined) return [];
      const shares = [share(missed, needs), share(strongMissed, strongNeeds), count(missed)];
      return [[policyNames.get(policy) ?? policy, ratio(cost), ...shares, ratio(cost + lookUps)]];
    });
    const titles = ['bill', 'missed', 'strong', 'misses', 'looked up'].map((title) => right(title));
    const table = renderTable([{ title: 'policy' }, ...titles], rows, look);
    const heading = look.styles.bold(`Bill and need, ${pricesText(list)}`);
    text += `${heading}\n${plural(all, 'later need')} of a result, ${count(strong)} of them strong\n${table}\n`;
  }
  return text;
}

/** @param {string | null} call */
function named(call) {
  return call === null ? '' : ` (${call})`;
}

/** @param {Miss} miss */
function sentenceOf(miss) {
  const { kind, gone, grams, example, request, thread, line, call, sourceCall, sourceRequest, replacedAt } = miss;
  const [one, many] = things[kind];
  const what = `${gone === grams ? '' : `${gone} of `}${grams === 1 ? `one ${one}` : `${grams} ${many}`}`;
  const who = `${thread === 0 ? 'request' : `thread ${thread}, request`} ${request}${named(call)}`;
  const source = sourceRequest === null ? 'a carried-over result' : `the result of request ${sourceRequest}`;
  const where = line > 0 ? ` (line ${line})` : '';
  return `${who} takes ${what} that only ${source}${named(sourceCall)} showed; it was replaced at ${replacedAt}: “${example}”${where}`;
}

/** @param {Accounts} accounts @param {Look} look */
export function misses(accounts, { styles }) {
  let text = '';
  for (const session of listed(accounts)) {
    for (const { prices, misses: all = [] } of session.account.simulations) {
      if (all.length === 0) continue;
      const lines = all.map((miss) => `  ${printable(sentenceOf(miss))}${miss.strong ? '' : ' (weak)'}\n`);
      text += `${styles.bold(`${printable(nameOf(session))}, ${pricesText(prices)}`)}\n${lines.join('')}\n`;
    }
  }
  return text === '' ? 'ContextView misses nothing.\n\n' : text;
}
