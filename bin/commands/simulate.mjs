/** `palimpsest simulate`: computes what recorded sessions would have cost under other policies. */
import { writeFileSync } from 'node:fs';
import { billTables } from '../accounts/bill-tables.mjs';
import { parsePriceLists, runReport, sharedHelp, sharedOptions } from '../accounts/command.mjs';
import { misses, needTables, policyTables } from '../accounts/policy-tables.mjs';
import { UsageError } from '../option-values.mjs';
import { chartsOf } from '../plots/charts.mjs';
import { svgOf } from '../plots/svg.mjs';
import { terminalPlots } from '../plots/terminal.mjs';
import { messageOf } from '../wording.mjs';

/** @import { Values, Work } from '../command-line.mjs' */

export const help = `Usage: palimpsest simulate [options] [path…]

Shows for recorded sessions the bill that was paid, the bill that the model of
the prompt cache predicts, and what each policy would have made of it:
leaving the history alone, the rules at every request, batches of 20 k and 30 k
tokens, all but 3 above 100 k, and ContextView.

Options:
  --price-list <a,b>  instead of each session’s own prices those of anthropic,
                      anthropic-1h, openai, openai-older, deepseek, gemini, none
                      or all
  --need              instead of the bills, what each policy costs and what
                      it misses: answers that took lines, words or names from
                      a result that the policy no longer sent
  --explain           with --need: each thing that ContextView misses, in a line
  --hindsight         search for the cheapest schedule, too: seconds for each
                      session of a thousand messages
  --svg <file>        write a plot of cost over requests: each policy, and what
                      was paid; of the twelve dearest sessions
  --plot              draw the same in the terminal, as is done for one session
                      where it fits
${sharedHelp}`;

/** @param {Values} values */
function needsCurves({ svg, plot, json, csv, need }) {
  const isForPeople = json !== true && csv !== true;
  return svg !== undefined || plot === true || (isForPeople && need !== true && Boolean(process.stdout.isTTY));
}

/** @param {Values} values @returns {'figures' | 'misses' | undefined} */
function needOf({ need, explain }) {
  if (explain === true && need !== true) throw new UsageError('--explain: expected --need with it');
  if (need !== true) return undefined;
  return explain === true ? 'misses' : 'figures';
}

/** @param {import('../accounts/read.mjs').Accounts} accounts @param {Values} values */
function writePlot(accounts, { svg }) {
  if (svg === undefined) return;
  const { charts, omitted } = chartsOf(accounts);
  const expected = 'expected a session with at least one request';
  if (charts.length === 0) throw new UsageError(`--svg: ${expected}; ${svg} isn’t written`);
  try {
    writeFileSync(svg, svgOf(charts, omitted));
  } catch (error) {
    throw new UsageError(`--svg: expected a file to write; ${messageOf(error)}`);
  }
}

export const options = {
  ...sharedOptions,
  'price-list': parsePriceLists,
  ...{ need: Boolean, explain: Boolean, hindsight: Boolean, svg: String, plot: Boolean },
};

/** @type {import('../accounts/command.mjs').AccountReport} */ const report = {
  name: 'simulate',
  optionsFor: (values) => ({
    lists: values['price-list'] ?? [],
    need: needOf(values),
    simulate: true,
    hindsight: values.hindsight === true,
    curves: needsCurves(values),
  }),
  write: writePlot,
  render(accounts, look, values) {
    const { need, explain, plot } = values;
    if (need === true) return needTables(accounts, look) + (explain === true ? misses(accounts, look) : '');
    return billTables(accounts, look) + policyTables(accounts, look) + terminalPlots(accounts, look, plot === true);
  },
};

/** @type {Work} */
export const work = (values, paths) => runReport(report, paths, values);
