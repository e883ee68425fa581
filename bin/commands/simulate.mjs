// @ts-check
/** `palimpsest simulate`: computes what recorded sessions would have cost under other policies. */

import { writeFileSync } from 'node:fs';
import { priceListsIn, runAccounts } from '../accounts/command.mjs';
import { misses, needTables } from '../accounts/need.mjs';
import { billTables, policyTables } from '../accounts/text.mjs';
import { help } from '../help/simulate.mjs';
import { UsageError } from '../option-values.mjs';
import { chartsOf } from '../plots/charts.mjs';
import { svgOf } from '../plots/svg.mjs';
import { plots } from '../plots/text.mjs';
import { messageOf } from '../wording.mjs';

/** @param {import('../accounts/command.mjs').Values} values */
function drawsCurves({ svg, plot, json, csv, need }) {
  const isForPeople = json !== true && csv !== true;
  return svg !== undefined || plot === true || (isForPeople && need !== true && Boolean(process.stdout.isTTY));
}

/** @param {import('../accounts/command.mjs').Values} values @returns {'figures' | 'misses' | undefined} */
function needOf({ need, explain }) {
  if (explain === true && need !== true) throw new UsageError('--explain: expected --need with it');
  if (need !== true) return undefined;
  return explain === true ? 'misses' : 'figures';
}

/** @param {import('../accounts/read.mjs').Accounts} accounts @param {import('../accounts/command.mjs').Values} values */
function writePlot(accounts, { svg }) {
  if (typeof svg !== 'string') return;
  const { charts, omitted } = chartsOf(accounts);
  if (charts.length === 0)
    throw new UsageError(`--svg: expected a session with at least one request; ${svg} isn’t written`);
  try {
    writeFileSync(svg, svgOf(charts, omitted));
  } catch (error) {
    throw new UsageError(`--svg: expected a file to write; ${messageOf(error)}`);
  }
}

/** @type {import('../accounts/command.mjs').AccountCommand} */
const command = {
  name: 'simulate',
  help,
  options: {
    'price-list': { type: 'string' },
    need: { type: 'boolean' },
    explain: { type: 'boolean' },
    hindsight: { type: 'boolean' },
    svg: { type: 'string' },
    plot: { type: 'boolean' },
  },
  optionsFor: (values) => ({
    lists: priceListsIn(values),
    need: needOf(values),
    simulate: true,
    hindsight: values.hindsight === true,
    curves: drawsCurves(values),
  }),
  write: writePlot,
  render(accounts, look, values) {
    if (values.need === true)
      return needTables(accounts, look) + (values.explain === true ? misses(accounts, look) : '');
    return billTables(accounts, look) + policyTables(accounts, look) + plots(accounts, look, values.plot === true);
  },
};

/** @param {string[]} words @returns {Promise<number>} the exit code */
export function run(words) {
  return runAccounts(command, words);
}
