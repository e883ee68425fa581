// @ts-check
/** Reads recorded sessions on other threads, with a progress bar; an interrupt keeps what was read. */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { exitCodes } from '../command-line.mjs';
import { loadSessionReaders } from '../library.mjs';
import { printLabelled, printProgress, widthOf } from '../print.mjs';

/**
 * @import * as Json from '../../docs/command-json.js'
 * @typedef {Json.Bill} Bill
 * @typedef {Json.Simulation} Simulation
 * @typedef {NonNullable<Simulation['misses']>[number]} Miss
 * @typedef {NonNullable<Simulation['policies'][number]['need']>} NeedFigures
 * @typedef {[id: number | null, paid: number, quarterHour: number | null, model: number | null]} Charge payment for a
 *   request; `model`: index in `models`; resumed and copied sessions repeat ids
 * @typedef {Json.Account & { charged?: Charge[] }} Account contents and cost of a session; no command prints `charged`
 * @typedef {Json.FileAccounts & { sessions: Account[] }} FileAccounts
 * @typedef {{ path: string, account: Account, indexInFile: number }} FileSession `path`: of its file
 * @typedef {Omit<Json.Accounts, 'version'> & { files: FileAccounts[] }} Accounts
 * @typedef {{ prices?: string | undefined, lists?: string[], simulate?: boolean, hindsight?: boolean, curves?: boolean,
 *   need?: 'figures' | 'misses' | 'columns' | undefined, isQuiet?: boolean }} AccountOptions
 * @typedef {{ files: number, filesDone: number, bytes: number, bytesDone: number }} Progress
 */

const [drawEveryMs, barCells] = [100, 24];
/** A shorter reading shows no progress bar. */ const quietMs = 300;
/** The note on a session with an unreadable file. */ const leftOutNote = 'file that can’t be read, left out';

/** @returns {string[]} folders in which the installed agents keep sessions */
export function agentFolders() {
  const places = loadSessionReaders().sessionPlaces(homedir(), /** @type {any} */ ({ ...process.env }));
  return places.map(({ path }) => path).filter((path) => existsSync(path));
}

/** @returns {string} names of the session formats, separated by commas */
export const knownFormats = () => loadSessionReaders().sessionFormats().join(', ');

/** @returns {string[]} names of price lists */
export function priceLists() {
  const [presets] = /** @type {[{ preset: string }[]]} */ (/** @type {any} */ (loadSessionReaders().pricePresets()));
  return presets.map(({ preset }) => preset);
}

/** @param {Progress} own @param {Progress} [whole] the work that this is part of, without this part */
function progressLine(own, whole = { ...own, filesDone: 0, bytesDone: 0 }) {
  const share = whole.bytes === 0 ? 0 : (whole.bytesDone + own.bytesDone) / whole.bytes;
  const filled = Math.round(share * barCells);
  const bar = '█'.repeat(filled) + '░'.repeat(barCells - filled);
  const files = `${whole.filesDone + own.filesDone} of ${whole.files} files`;
  return `${bar} ${Math.floor(share * 100)} %  ${files}`.slice(0, widthOf(process.stderr) - 1);
}

/**
 * Reads the accounts of all sessions under some paths.
 * @param {readonly string[]} paths @param {AccountOptions} [options]
 * @param {{ done: Progress, sinceMs: number }} [part] progress and start time of the work that this call is part of
 * @returns {Promise<{ accounts: Accounts, interrupted: boolean }>} @throws {Error} if the price list can't be read
 */
export async function readAccounts(paths, options = {}, part) {
  const defaults = { lists: [], simulate: false, hindsight: false, curves: false };
  const work = new (loadSessionReaders().SessionAccounts)(/** @type {any} */ ({ ...defaults, ...options }));
  let interrupted = false;
  const isTerminal = Boolean(process.stderr.isTTY);
  const clear = () => isTerminal && printProgress('');
  const interrupt = () => {
    // A second interrupt doesn't wait for files in progress.
    if (interrupted) {
      clear();
      process.exit(exitCodes.interrupted);
    }
    interrupted = true;
    work.cancel();
  };
  process.on('SIGINT', interrupt);
  const started = part?.sinceMs ?? performance.now();
  const timer = setInterval(() => {
    if (performance.now() - started > quietMs) printProgress(progressLine(work.progress(), part?.done));
  }, drawEveryMs);
  if (!isTerminal || options.isQuiet === true) clearInterval(timer);
  try {
    return { accounts: JSON.parse(await work.read([...paths])), interrupted };
  } finally {
    clearInterval(timer);
    process.off('SIGINT', interrupt);
    clear();
  }
}

/**
 * Prints the files that couldn't be read, and returns their number. An unreadable database that was found by scanning
 * is only a note: its agent has an export.
 * @param {Accounts} accounts @param {boolean} interrupted
 * @param {readonly string[]} namedPaths on the command line; empty if the installed agents' folders were read
 */
export function printFailures({ files, notRead }, interrupted, namedPaths) {
  const failures = files.flatMap(({ path, error }) => (error === null ? [] : { path, ...error }));
  const isNote = ({ code = '' }) => namedPaths.length === 0 && code === 'ERR_SESSION_DATABASE';
  for (const { path, message } of failures.filter(isNote)) printLabelled('note', `${path}: ${message}`);
  for (const { path, account } of sessionsIn({ files })) {
    for (const { what, count, at } of account.notes) {
      if (what === leftOutNote) printLabelled('note', `${path}: ${count} × ${what}; the first: ${at}`);
    }
  }
  const failed = failures.filter((failure) => !isNote(failure));
  for (const { path, message } of failed) printLabelled('error', `${path}: ${message}`);
  if (interrupted) printLabelled('interrupted', `${notRead} files weren’t read`);
  return failed.length;
}

/** @param {Pick<Accounts, 'files'>} accounts @returns {FileSession[]} */
export function sessionsIn({ files }) {
  return files.flatMap(({ path, sessions }) =>
    sessions.map((account, indexInFile) => ({ path, account, indexInFile })),
  );
}

/** The path; with the session id if the file may hold several. @param {FileSession} session */
export function sessionName({ path, account }) {
  return account.id !== null && path.endsWith('output.jsonl') ? `${path}#${account.id}` : path;
}
