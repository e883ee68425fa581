// @ts-check
/** Runs a command over recorded sessions: reads what each holds and cost, and prints that as tables, JSON or CSV. */
import { didYouMean, exitCodes } from '../command-line.mjs';
import { loadLibrary } from '../library.mjs';
import { UsageError } from '../option-values.mjs';
import { lookOf, printable, printError, printJson, printOut } from '../print.mjs';
import { readRegularFile } from '../regular-file.mjs';
import { wrapped } from '../table.mjs';
import { formatCount, messageOf, plural, tokensText } from '../wording.mjs';
import { agentFolders, knownFormats, priceLists, printFailures, readAccounts, sessionsIn } from './read.mjs';

/**
 * @import { Values } from '../command-line.mjs'
 * @import { AccountOptions, Accounts } from './read.mjs'
 * @typedef {object} AccountReport
 * @property {string} name of the command
 * @property {(values: Values) => AccountOptions} [optionsFor] what to compute; without it, no simulations
 * @property {(paths: readonly string[], values: Values, prices?: string) => ReturnType<typeof readAccounts>} [read] by
 *   default all files, without a cache
 * @property {(accounts: Accounts, values: Values) => void} [write] writes files that options name
 * @property {(accounts: Accounts, look: import('../print.mjs').Look, values: Values) => string} render
 */

export const sharedOptions = { help: Boolean, json: Boolean, csv: Boolean, prices: String };

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

/** @param {string} text of `--price-list` @returns {string[]} */
export function parsePriceLists(text) {
  const known = priceLists();
  if (text === 'all') return known;
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) return names;
  const expected = `expected “all” or some of ${known.join(', ')}`;
  throw new UsageError(`--price-list: ${expected}; got “${unknown}”${didYouMean(unknown, known)}`);
}

/**
 * Passes the content of the price list that `--prices` names. If there is one, an error of the work is about it.
 * @template T @param {Values} values @param {(prices: string | undefined) => Promise<T>} work `prices`: JSON text
 */
export async function withPrices({ prices: file }, work) {
  if (typeof file !== 'string') return work(undefined);
  try {
    return await work(readRegularFile(file).toString('utf8'));
  } catch (error) {
    throw error instanceof UsageError ? error : new UsageError(`--prices ${file}: ${messageOf(error)}`);
  }
}

/** Without paths, the folders of the installed agents. @param {readonly string[]} paths @throws {UsageError} */
export function pathsOrAgentFolders(paths) {
  if (paths.length > 0) return paths;
  const folders = agentFolders();
  if (folders.length === 0) {
    const expected = `expected a file or folder of ${knownFormats()}`;
    throw new UsageError(`no agent keeps sessions where it usually would; ${expected}`);
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
  const { version } = loadLibrary();
  const { accounts, interrupted } = await withPrices(values, async (prices) => {
    const readPaths = pathsOrAgentFolders(paths);
    return report.read?.(readPaths, values, prices) ?? readAccounts(readPaths, { ...accountOptions, prices });
  });
  const hasSessions = accounts.files.some(({ sessions }) => sessions.length > 0);
  if (hasSessions || !interrupted) report.write?.(accounts, values);
  if (values.json === true) {
    // `charged` has an entry per request and is only for totals.
    printJson({ version, ...accounts, ...extraFields }, (name, value) => (name === 'charged' ? undefined : value));
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

/** @template Key @template T @param {readonly T[]} list @param {(one: T) => [key: Key, amount: number]} entryOf */
function sumsByKey(list, entryOf) {
  /** @type {Map<Key, number>} */ const sums = new Map();
  for (const [key, amount] of list.map(entryOf)) sums.set(key, (sums.get(key) ?? 0) + amount);
  return [...sums];
}

/** Maximum number of models without a price that are named. */ const maxUnpriced = 5;

/** The models and tokens without a price; empty if there are none. @param {Accounts} accounts */
function unpricedNote(accounts) {
  const unpriced = sessionsIn(accounts).flatMap(({ account }) => account.unpriced);
  const tokensByModel = sumsByKey(unpriced, ({ model, tokens }) => [model, tokens]);
  if (tokensByModel.length === 0) return '';
  const mostFirst = tokensByModel.sort(([, a], [, b]) => b - a);
  const named = mostFirst
    .slice(0, maxUnpriced)
    .map(([model, tokens]) => `${model ?? 'an unnamed model'} (${tokensText(tokens)})`);
  const others = mostFirst.length > named.length ? `, and ${formatCount(mostFirst.length - named.length)} more` : '';
  const all = tokensText(mostFirst.reduce((sum, [, tokens]) => sum + tokens, 0));
  return `Note: no price is known for ${all} tokens of ${printable(named.join(', '))}${others}; --prices gives one.\n`;
}

/** Notes, the number of files, and where the prices are from. @param {Accounts} accounts */
function footer(accounts) {
  const { passedOver, pricesDate, uncheckedModels, files } = accounts;
  const notes = sessionsIn(accounts).flatMap(({ account }) => account.notes);
  const sums = sumsByKey(notes, ({ what, count }) => [what, count]);
  const noteLines = sums.map(([what, sum]) => `Note: ${formatCount(sum)} × ${what}.\n`);
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const models = printable(uncheckedModels.join(', '));
  const unchecked = models === '' ? '' : `The price of ${models} was not compared with its provider’s own list. `;
  const skipped = passedOver === 0 ? '' : `; ${plural(passedOver, 'other file')} skipped`;
  return `${noteLines.join('')}${unpricedNote(accounts)}${plural(files.length, 'file')}, ${(bytes / 1e6).toFixed(1)} MB${skipped}. Prices of ${pricesDate}; “tok” are tokens at the base price of input, where a model’s price isn’t known. ${unchecked}Nothing has left this machine.\n`;
}

/** @param {unknown} value */
function csvCell(value) {
  if (value === null || value === undefined) return '';
  // Line breaks are valid inside quotes; other control characters could reach a terminal.
  const text = printable(String(value), '\n\t');
  // A spreadsheet reads a leading =, +, - or @ as a formula, also after a tab or a carriage return, which is escaped above.
  const safe = typeof value === 'string' && /^(?:[=+\-@\t]|\\r)/.test(text) ? `'${text}` : text;
  return /[",\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A line for each session, a column for each price list and policy. @param {Accounts} accounts */
function csvOf(accounts) {
  const sessions = sessionsIn(accounts).map(({ path, account }) => {
    /** @type {Map<string, number>} */ const costs = new Map();
    for (const { prices, policies } of account.simulations) {
      for (const { policy, cost } of policies) costs.set(`${prices}:${policy}`, cost);
    }
    return { path, account, costs };
  });
  const policies = [...new Set(sessions.flatMap(({ costs }) => [...costs.keys()]))];
  const head = ['file', 'agent', 'id', 'project', 'models', 'first', 'last', 'requests', 'peak_tokens', 'compactions'];
  const bills = ['paid', 'predicted', 'unannounced', 'unannounced_requests', 'paid_usd', 'predicted_usd', 'output_usd'];
  const time = (/** @type {number | null} */ ms) => (ms === null ? null : new Date(ms).toISOString());
  const rows = sessions.map(({ path, account, costs }) => {
    const { agent, id, project, models, firstMs, lastMs, requests, peakTokens, compactions, bill } = account;
    return [
      ...[path, agent, id, project, models.join(' '), time(firstMs), time(lastMs), requests, peakTokens, compactions],
      ...[bill?.paid, bill?.predicted, bill?.unannounced, bill?.unannouncedRequests],
      ...[bill?.paidUsd, bill?.predictedUsd, bill?.outputUsd],
      ...policies.map((policy) => costs.get(policy)),
    ];
  });
  return `${[[...head, ...bills, ...policies], ...rows].map((row) => row.map(csvCell).join(',')).join('\n')}\n`;
}
