// @ts-check
/** The plots of a report: if the user asked for them, or for a single session if its plot fits the terminal. */
import { plural } from '../wording.mjs';
import { chartsOf } from './charts.mjs';
import { fits, terminalPlot } from './terminal.mjs';

/**
 * @param {import('../accounts/read.mjs').Accounts} accounts read with curves
 * @param {import('../terminal.mjs').Look} look @param {boolean} isAsked @returns {string}
 */
export function plots(accounts, look, isAsked) {
  const { charts, omitted } = chartsOf(accounts);
  const isFitting = charts.length === 1 && look.isTerminal && fits(look.width, look.height);
  if (!isAsked && !isFitting) return '';
  const more = omitted > 0 ? `${plural(omitted, 'more session')} that cost less aren’t drawn.\n` : '';
  return `${charts.map((chart) => terminalPlot(chart, look)).join('\n')}\n${more}`;
}
