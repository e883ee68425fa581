// @ts-check
/** Each policy's cost and the share of later needs that it misses. */
import { printable } from '../printable.mjs';
import { renderTable } from '../table.mjs';
import { count, plural } from '../wording.mjs';
import { policyNames } from './amounts.mjs';
import { listed, needTotals } from './figures.mjs';
import { nameOf } from './text.mjs';

/**
 * @typedef {import('./read.mjs').Accounts} Accounts
 * @typedef {import('./read.mjs').Miss} Miss
 * @typedef {import('./text.mjs').Look} Look
 */

const things = { edit: ['line', 'lines'], quote: ['quotation', 'quotations'], name: ['name', 'names'] };
const right = /** @type {const} */ ('right');

/** @param {string} list */
function pricesOf(list) {
  return list === 'own' ? 'at the prices of each session’s own model' : `at the prices of “${list}”`;
}

/** @param {number} part @param {number} whole */
function share(part, whole) {
  return whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`;
}

/** @param {Accounts} accounts @param {Look} look */
export function needTables(accounts, { styles, width }) {
  let text = '';
  for (const [list, totals] of needTotals(listed(accounts))) {
    const alone = totals.get('leave-alone');
    if (alone === undefined) continue;
    const rows = [...totals].map(([policy, { cost, needs, missed, strongNeeds, strongMissed, lookUps }]) => [
      policyNames.get(policy) ?? policy,
      alone.cost === 0 ? '–' : (cost / alone.cost).toFixed(3),
      share(missed, needs),
      share(strongMissed, strongNeeds),
      count(missed),
      alone.cost === 0 ? '–' : ((cost + lookUps) / alone.cost).toFixed(3),
    ]);
    const titles = ['bill', 'missed', 'strong', 'misses', 'looked up'].map((title) => ({ title, align: right }));
    const table = renderTable([{ title: 'policy' }, ...titles], rows, { maxWidth: width, titleStyle: styles.dim });
    const heading = styles.bold(`Bill and need, ${pricesOf(list)}`);
    text += `${heading}\n${plural(alone.needs, 'later need')} of a result, ${count(alone.strongNeeds)} of them strong\n${table}\n`;
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
      text += `${styles.bold(`${printable(nameOf(session))}, ${pricesOf(prices)}`)}\n${lines.join('')}\n`;
    }
  }
  return text === '' ? 'ContextView misses nothing.\n\n' : text;
}
