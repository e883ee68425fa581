// @ts-check
/**
 * Tables of each policy's cost and the share of needs that it misses. A need is a later assistant message that took lines, words or names
 * from a result; a policy misses it if it had removed that result.
 */
import { printable } from '../printable.mjs';
import { renderTable, right } from '../table.mjs';
import { count, plural } from '../wording.mjs';
import { policyNames, pricesText } from './amounts.mjs';
import { policyTotals, sessionsIn } from './figures.mjs';
import { nameOf } from './text.mjs';

/**
 * @typedef {import('./read.mjs').Accounts} Accounts
 * @typedef {import('./read.mjs').Miss} Miss
 * @typedef {import('../terminal.mjs').Look} Look
 */

/** For each kind of need, what is taken: one, several. @type {Record<Miss['kind'], [one: string, many: string]>} */
const nouns = { edit: ['line', 'lines'], quote: ['quotation', 'quotations'], name: ['name', 'names'] };

/** @param {number} part @param {number} whole */
function share(part, whole) {
  return whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`;
}

/** @param {Accounts} accounts @param {Look} look */
export function needTables(accounts, look) {
  let text = '';
  for (const [priceList, totals] of policyTotals(sessionsIn(accounts))) {
    const { cost: baseline = 0, needs: allNeeds, strongNeeds: allStrong = 0 } = totals.get('leave-alone') ?? {};
    if (allNeeds === undefined) continue;
    const ratio = (/** @type {number} */ cost) => (baseline === 0 ? '–' : (cost / baseline).toFixed(3));
    const rows = [...totals].flatMap(([policy, sums]) => {
      const { cost, needs, missed = 0, strongNeeds = 0, strongMissed = 0, lookUps = 0 } = sums;
      if (needs === undefined) return [];
      const shares = [share(missed, needs), share(strongMissed, strongNeeds), count(missed)];
      return [[policyNames.get(policy) ?? policy, ratio(cost), ...shares, ratio(cost + lookUps)]];
    });
    const titles = ['bill', 'missed', 'strong', 'misses', 'looked up'].map((title) => right(title));
    const table = renderTable([{ title: 'policy' }, ...titles], rows, look);
    const heading = look.styles.bold(`Bill and need, ${pricesText(priceList)}`);
    text += `${heading}\n${plural(allNeeds, 'later need')} of a result, ${count(allStrong)} of them strong\n${table}\n`;
  }
  return text;
}

/** @param {string | null} call */
function named(call) {
  return call === null ? '' : ` (${call})`;
}

/** Says which request took what from which removed result. @param {Miss} miss */
function sentenceOf(miss) {
  const { kind, gone, grams, example, request, thread, line, call, sourceCall, sourceRequest, replacedAt } = miss;
  const [one, many] = nouns[kind];
  const what = `${gone === grams ? '' : `${gone} of `}${grams === 1 ? `one ${one}` : `${grams} ${many}`}`;
  const who = `${thread === 0 ? 'request' : `thread ${thread}, request`} ${request}${named(call)}`;
  const source = sourceRequest === null ? 'a carried-over result' : `the result of request ${sourceRequest}`;
  const where = line > 0 ? ` (line ${line})` : '';
  return `${who} takes ${what} that only ${source}${named(sourceCall)} showed; it was replaced at ${replacedAt}: “${example}”${where}`;
}

/** @param {Accounts} accounts @param {Look} look */
export function misses(accounts, { styles }) {
  let text = '';
  for (const session of sessionsIn(accounts)) {
    for (const { prices, misses: all = [] } of session.account.simulations) {
      if (all.length === 0) continue;
      const lines = all.map((miss) => `  ${printable(sentenceOf(miss))}${miss.strong ? '' : ' (weak)'}\n`);
      text += `${styles.bold(`${printable(nameOf(session))}, ${pricesText(prices)}`)}\n${lines.join('')}\n`;
    }
  }
  return text === '' ? 'ContextView misses nothing.\n\n' : text;
}
