// @ts-check
/**
 * Runs a command over recorded sessions: reads their accounts, and prints them as tables, JSON or CSV. An account is what one session
 * holds and cost.
 */

import { runCommand } from '../command-line.mjs';
import { interruptedBySignal, someFilesFailed, success } from '../exit-codes.mjs';
import { loadLibrary } from '../library.mjs';
import { UsageError } from '../option-values.mjs';
import { printError, printJson, printOut } from '../print.mjs';
import { readRegularFile } from '../regular-file.mjs';
import { didYouMean } from '../suggestion.mjs';
import { wrapped } from '../table.mjs';
import { lookOf } from '../terminal.mjs';
import { messageOf } from '../wording.mjs';
import { csvOf } from './csv.mjs';
import { agentFolders, knownFormats, priceLists, printFailures, readAccounts } from './read.mjs';
import { footer } from './text.mjs';

/**
 * @typedef {import('../command-line.mjs').Values} Values
 * @typedef {import('./read.mjs').Accounts} Accounts
 *
 * @typedef {object} AccountReport
 * @property {string} name of the command
 * @property {(values: Values) => import('./read.mjs').AccountOptions} [optionsFor] what to compute; without it, no simulations
 * @property {(paths: readonly string[], values: Values, prices: string | undefined) => Promise<{ accounts: Accounts, interrupted: boolean }>} [read]
 * @property {(accounts: Accounts, values: Values) => void} [write] writes files that options name
 * @property {(accounts: Accounts, look: import('../terminal.mjs').Look, values: Values) => string} render
 *
 * @typedef {AccountReport & { help: string, options: import('../command-line.mjs').Options }} AccountCommand `options`: in addition to the shared ones
 */

export const sharedOptions = /** @type {const} */ ({
  help: { type: 'boolean', short: 'h' },
  json: { type: 'boolean' },
  csv: { type: 'boolean' },
  prices: { type: 'string' },
});

/** The price lists that `--price-list` names. @param {Values} values @returns {string[]} */
export function priceListsIn({ 'price-list': given }) {
  if (typeof given !== 'string') return [];
  const known = priceLists();
  const names = given === 'all' ? known : given.split(',').map((name) => name.trim());
  for (const name of names) {
    if (!known.includes(name)) {
      const hint = didYouMean(name, known);
      throw new UsageError(`--price-list: expected “all” or some of ${known.join(', ')}; got “${name}”${hint}`);
    }
  }
  return names;
}

/**
 * Passes the content of the price list that `--prices` names. If there is one, an error of the work is about it.
 * @template T @param {Values} values @param {(prices: string | undefined) => Promise<T>} work `prices`: JSON text @returns {Promise<T>}
 */
export async function withPrices({ prices: file }, work) {
  if (typeof file !== 'string') return work(undefined);
  try {
    return await work(readRegularFile(file).toString('utf8'));
  } catch (error) {
    throw error instanceof UsageError ? error : new UsageError(`--prices ${file}: ${messageOf(error)}`);
  }
}

/**
 * @param {readonly string[]} paths of the command line
 * @returns {readonly string[]} these; if there are none, the folders of the installed agents @throws {UsageError} if no such folder exists
 */
export function pathsOrAgentFolders(paths) {
  if (paths.length > 0) return paths;
  const places = agentFolders();
  if (places.length === 0) {
    throw new UsageError(
      `no agent keeps sessions where it usually would; expected a file or folder of ${knownFormats()}`,
    );
  }
  printError(`Reading ${places.join(', ')}; nothing leaves this machine.\n`);
  return places;
}

/**
 * @param {AccountReport} report @param {readonly string[]} paths @param {Values} values
 * @param {object} [extraFields] additional fields of the JSON output
 * @returns {Promise<number>} the exit code
 */
export async function runReport(report, paths, values, extraFields) {
  const accountOptions = report.optionsFor?.(values);
  const library = loadLibrary();
  const { accounts, interrupted } = await withPrices(values, async (prices) => {
    const places = pathsOrAgentFolders(paths);
    return report.read?.(places, values, prices) ?? readAccounts(places, { ...accountOptions, prices });
  });
  const hasSessions = accounts.files.some(({ sessions }) => sessions.length > 0);
  if (hasSessions || !interrupted) report.write?.(accounts, values);
  if (values.json === true) {
    printJson({ version: library.version, ...accounts, ...extraFields }, withoutCharges);
  } else if (values.csv === true) {
    printOut(csvOf(accounts));
  } else if (hasSessions) {
    const look = lookOf(process.stdout);
    printOut(wrapped(report.render(accounts, look, values) + footer(accounts), look.width));
  } else if (accounts.files.every(({ error }) => error === null) && !interrupted) {
    const skipped = accounts.passedOver > 0 ? ` in ${accounts.passedOver} files` : '';
    printError(`palimpsest ${report.name}: no sessions found${skipped}; known are those of ${knownFormats()}\n`);
    return someFilesFailed;
  }
  const failed = printFailures(accounts, interrupted, paths);
  if (interrupted) return interruptedBySignal;
  return failed === 0 ? success : someFilesFailed;
}

/** Leaves out `charged`, which has an entry per request and is only for totals. @param {string} name @param {unknown} value */
function withoutCharges(name, value) {
  return name === 'charged' ? undefined : value;
}

/** @param {AccountCommand} command @param {string[]} words @returns {Promise<number>} the exit code */
export function runAccounts(command, words) {
  const options = { ...sharedOptions, ...command.options };
  return runCommand(words, { ...command, options }, (values, paths) => runReport(command, paths, values));
}
