// @ts-check
/** `palimpsest simulate`: computes what recorded sessions would have cost under other policies. */
import { writeFileSync } from 'node:fs';
import { billTables } from '../accounts/bill-tables.mjs';
import { parsePriceLists, runReport, sharedHelp, sharedOptions } from '../accounts/command.mjs';
import { misses, needTables, policyTables } from '../accounts/policy-tables.mjs';
import { orUsageError, UsageError } from '../option-values.mjs';
import { chartsOf } from '../plots/charts.mjs';
import { svgOf } from '../plots/svg.mjs';
import { terminalPlots } from '../plots/terminal.mjs';

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

/** @param {import('../accounts/read.mjs').Accounts} accounts @param {Values} values */
function writePlot(accounts, { svg }) {
  if (svg === undefined) return;
  const { charts, omitted } = chartsOf(accounts);
  const expected = 'expected a session with at least one request';
  if (charts.length === 0) throw new UsageError(`--svg: ${expected}; ${svg} isn’t written`);
  orUsageError(() => writeFileSync(svg, svgOf(charts, omitted)), '--svg: expected a file to write; ');
}

export const options = {
  ...sharedOptions,
  'price-list': parsePriceLists,
  ...{ need: Boolean, explain: Boolean, hindsight: Boolean, svg: String, plot: Boolean },
};

/** @type {import('../accounts/command.mjs').AccountReport} */ const report = {
  name: 'simulate',
  optionsFor({ 'price-list': lists = [], need, explain, hindsight = false, svg, plot, json, csv }) {
    if (explain === true && need !== true) throw new UsageError('--explain: expected --need with it');
    const isPlotted = process.stdout.isTTY && json !== true && csv !== true && need !== true;
    const curves = svg !== undefined || plot === true || Boolean(isPlotted);
    const shown = explain === true ? 'misses' : 'figures';
    return { lists, need: need === true ? shown : undefined, simulate: true, hindsight, curves };
  },
  write: writePlot,
  render(accounts, look, values) {
    const { need, explain, plot } = values;
    if (need === true) return needTables(accounts, look) + (explain === true ? misses(accounts, look) : '');
    return billTables(accounts, look) + policyTables(accounts, look) + terminalPlots(accounts, look, plot === true);
  },
};

/** @type {Work} */
export const work = (values, paths) => runReport(report, paths, values);
