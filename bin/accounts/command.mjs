// @ts-check
/**
 * Runs a command over recorded sessions: reads their accounts, and prints them as tables, JSON or CSV. An account is what
 * one session holds and cost.
 */
import { didYouMean, exitCodes, runCommand } from '../command-line.mjs';
import { loadLibrary } from '../library.mjs';
import { UsageError } from '../option-values.mjs';
import { printable, printError, printJson, printOut } from '../print.mjs';
import { readRegularFile } from '../regular-file.mjs';
import { wrapped } from '../table.mjs';
import { lookOf } from '../terminal.mjs';
import { formatCount, messageOf, plural, tokensText } from '../wording.mjs';
import { csvOf } from './csv.mjs';
import { agentFolders, knownFormats, priceLists, printFailures, readAccounts, sessionsIn } from './read.mjs';

/**
 * @typedef {import('../command-line.mjs').Values} Values
 * @typedef {import('./read.mjs').Accounts} Accounts
 *
 * @typedef {object} AccountReport
 * @property {string} name of the command
 * @property {(values: Values) => import('./read.mjs').AccountOptions} [optionsFor] what to compute; without it, no simulations
 * @property {(paths: readonly string[], values: Values, prices: string | undefined) => Promise<{ accounts: Accounts, interrupted: boolean }>} [read]
 *   default: reads all files, without a cache
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

/** End of the help of commands with the shared options. */
export const sharedHelp = `  --json              print one JSON object instead of tables
  --csv               print one line for each session
  --prices <file>     a list of models’ prices, before the package’s own:
                      {"date", "models": [{"model", "input", "cacheRead",
                      "output", …}]}, in US dollars for a million tokens
  -h, --help          show this

Paths are files and folders; without one, the folders in which the installed
agents keep their sessions. Files are only read, and nothing leaves the machine.

Exit code: 0; 1 when a file could not be read; 2 for a wrong command line; 130
after Ctrl-C, which ends with what is done (twice: at once).
`;

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
  const folders = agentFolders();
  if (folders.length === 0) {
    throw new UsageError(
      `no agent keeps sessions where it usually would; expected a file or folder of ${knownFormats()}`,
    );
  }
  printError(`Reading ${folders.join(', ')}; nothing leaves this machine.\n`);
  return folders;
}

/**
 * Reads accounts and prints a report on them.
 * @param {AccountReport} report @param {readonly string[]} paths @param {Values} values
 * @param {object} [extraFields] additional fields of the JSON output @returns {Promise<number>} the exit code
 */
export async function runReport(report, paths, values, extraFields) {
  const accountOptions = report.optionsFor?.(values);
  const library = loadLibrary();
  const { accounts, interrupted } = await withPrices(values, async (prices) => {
    const readPaths = pathsOrAgentFolders(paths);
    return report.read?.(readPaths, values, prices) ?? readAccounts(readPaths, { ...accountOptions, prices });
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
    return exitCodes.failure;
  }
  const failed = printFailures(accounts, interrupted, paths);
  if (interrupted) return exitCodes.interrupted;
  return failed === 0 ? exitCodes.success : exitCodes.failure;
}

/** Leaves out `charged`, which has an entry per request and is only for totals. @param {string} name @param {unknown} value */
function withoutCharges(name, value) {
  return name === 'charged' ? undefined : value;
}

/** @param {AccountCommand} command @returns {(words: string[]) => Promise<number>} runs it; returns the exit code */
export function accountCommand(command) {
  const options = { ...sharedOptions, ...command.options };
  return (words) => runCommand(words, { ...command, options }, (values, paths) => runReport(command, paths, values));
}

/** @param {Accounts} accounts @returns {string[]} a line for each kind of note */
function notesOf({ files }) {
  const sums = new Map();
  for (const { what, count } of files.flatMap(({ sessions }) => sessions.flatMap(({ notes }) => notes))) {
    sums.set(what, (sums.get(what) ?? 0) + count);
  }
  return [...sums].map(([what, sum]) => `Note: ${formatCount(sum)} × ${what}.\n`);
}

/** Maximum number of models that are named. */
const maxUnpriced = 5;

/** @param {Accounts} accounts @returns {string} the models and tokens without a price; empty if there are none */
function unpricedNote(accounts) {
  /** @type {Map<string | null, number>} */ const tokensByModel = new Map();
  for (const { model, tokens } of sessionsIn(accounts).flatMap(({ account }) => account.unpriced))
    tokensByModel.set(model, (tokensByModel.get(model) ?? 0) + tokens);
  if (tokensByModel.size === 0) return '';
  const mostFirst = [...tokensByModel].sort(([, a], [, b]) => b - a);
  const named = mostFirst
    .slice(0, maxUnpriced)
    .map(([model, tokens]) => `${model ?? 'an unnamed model'} (${tokensText(tokens)})`);
  const others = mostFirst.length > named.length ? `, and ${formatCount(mostFirst.length - named.length)} more` : '';
  const all = tokensText(mostFirst.reduce((sum, [, tokens]) => sum + tokens, 0));
  return `Note: no price is known for ${all} tokens of ${printable(named.join(', '))}${others}; --prices gives one.\n`;
}

/** Notes, the number of files, and where the prices are from. @param {Accounts} accounts @returns {string} */
function footer(accounts) {
  const { passedOver, pricesDate, uncheckedModels, files } = accounts;
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const unchecked =
    uncheckedModels.length === 0
      ? ''
      : `The price of ${printable(uncheckedModels.join(', '))} was not compared with its provider’s own list. `;
  const skipped = passedOver === 0 ? '' : `; ${plural(passedOver, 'other file')} skipped`;
  return `${notesOf(accounts).join('')}${unpricedNote(accounts)}${plural(files.length, 'file')}, ${(bytes / 1e6).toFixed(1)} MB${skipped}. Prices of ${pricesDate}; “tok” are tokens at the base price of input, where a model’s price isn’t known. ${unchecked}Nothing has left this machine.\n`;
}
