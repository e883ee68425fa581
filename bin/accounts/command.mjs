// @ts-check
/** Shared by all commands over recorded sessions: options, reading, printing. */

import { readWords } from '../command-line.mjs';
import { interruptedBySignal, someFilesFailed, success, usageError } from '../exit-codes.mjs';
import { loadLibrary } from '../library.mjs';
import { UsageError } from '../option-values.mjs';
import { printError, printJson, printOut } from '../print.mjs';
import { readRegularFile } from '../regular-file.mjs';
import { didYouMean } from '../suggestion.mjs';
import { wrapped } from '../table.mjs';
import { lookOf } from '../terminal.mjs';
import { csvOf } from './csv.mjs';
import { knownFormats, placesOfAgents, priceLists, readAccounts, sayFailures } from './read.mjs';
import { footer } from './text.mjs';

/**
 * @typedef {Readonly<Record<string, string | boolean | undefined>>} Values
 * @typedef {{ lists: string[], simulate: boolean, hindsight: boolean, curves: boolean, need?: 'figures' | 'misses' }} Wanted
 *
 * @typedef {object} AccountCommand
 * @property {string} name
 * @property {string} help
 * @property {Record<string, { type: 'string' | 'boolean' }>} options in addition to the shared ones
 * @property {(values: Values) => Wanted} wanted
 * @property {(paths: readonly string[], values: Values, prices: string | undefined) => Promise<{ accounts: import('./read.mjs').Accounts, interrupted: boolean }>} [read]
 * @property {(accounts: import('./read.mjs').Accounts, values: Values) => void} [write] writes files that options name
 * @property {(accounts: import('./read.mjs').Accounts, look: import('../terminal.mjs').Look, values: Values) => string} render
 */

export const sharedOptions = /** @type {const} */ ({
  help: { type: 'boolean', short: 'h' },
  json: { type: 'boolean' },
  csv: { type: 'boolean' },
  prices: { type: 'string' },
});

/** @param {Values} values @returns {string[]} names of price lists */
export function listsOf({ 'price-list': given }) {
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

/** @param {Values} values @returns {string | undefined} JSON text */
export function ownPrices({ prices }) {
  if (typeof prices !== 'string') return undefined;
  try {
    return readRegularFile(prices).toString('utf8');
  } catch (error) {
    throw new UsageError(`--prices ${prices}: ${error instanceof Error ? error.message : error}`);
  }
}

/** @returns {string[]} @throws {UsageError} if no agent's folder exists */
export function installedPlaces() {
  const places = placesOfAgents();
  if (places.length === 0) {
    const formats = knownFormats().join(', ');
    throw new UsageError(`no agent keeps sessions where it usually would; expected a file or folder of ${formats}`);
  }
  printError(`Reading ${places.join(', ')}; nothing leaves this machine.\n`);
  return places;
}

/**
 * @param {AccountCommand} command
 * @param {readonly string[]} paths
 * @param {Values} values
 * @param {object} [others] additional fields of the JSON output
 * @returns {Promise<number>} the exit code
 */
export async function runOn(command, paths, values, others) {
  if (values.json === true && values.csv === true) throw new UsageError('expected --json or --csv, not both');
  const wanted = command.wanted(values);
  const library = loadLibrary();
  const prices = ownPrices(values);
  const places = paths.length > 0 ? paths : installedPlaces();
  let read;
  try {
    read = await (command.read?.(places, values, prices) ?? readAccounts(places, { ...wanted, prices }));
  } catch (error) {
    if (prices === undefined) throw error;
    throw new UsageError(`--prices ${values.prices}: ${error instanceof Error ? error.message : error}`);
  }
  const { accounts, interrupted } = read;
  const hasSessions = accounts.files.some(({ sessions }) => sessions.length > 0);
  if (hasSessions || !interrupted) command.write?.(accounts, values);
  if (values.json === true) {
    printJson({ version: library.version, ...accounts, ...others }, shown);
  } else if (values.csv === true) {
    printOut(csvOf(accounts));
  } else if (hasSessions) {
    const look = lookOf(process.stdout);
    printOut(wrapped(command.render(accounts, look, values) + footer(accounts), look.width));
  } else if (accounts.files.every(({ error }) => error === null) && !interrupted) {
    const passed = accounts.passedOver > 0 ? ` in ${accounts.passedOver} files` : '';
    const formats = knownFormats().join(', ');
    printError(`palimpsest ${command.name}: no sessions found${passed}; known are those of ${formats}\n`);
    return someFilesFailed;
  }
  const failed = sayFailures(accounts, interrupted, paths);
  if (interrupted) return interruptedBySignal;
  return failed === 0 ? success : someFilesFailed;
}

/** Leaves out `charged`, which has an entry per request and is only for totals. @param {string} name @param {unknown} value */
function shown(name, value) {
  return name === 'charged' ? undefined : value;
}

/** @param {AccountCommand} command @param {string[]} words @returns {Promise<number>} the exit code */
export async function runAccounts(command, words) {
  /** @type {import('../command-line.mjs').Options} */
  const options = { ...sharedOptions, ...command.options };
  try {
    const { values, positionals } = readWords(words, options);
    if (values.help === true) {
      printOut(command.help);
      return success;
    }
    return await runOn(command, positionals, values);
  } catch (error) {
    printError(`palimpsest ${command.name}: ${error instanceof Error ? error.message : String(error)}\n`);
    return error instanceof UsageError ? usageError : someFilesFailed;
  }
}
