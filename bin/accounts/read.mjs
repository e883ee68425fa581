// @ts-check
/** Reads recorded sessions on other threads, with a progress bar; an interrupt keeps what was read. */

import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { exitCodes } from '../command-line.mjs';
import { loadSessionReaders } from '../library.mjs';
import { printLabelled, printProgress } from '../print.mjs';
import { widthOf } from '../terminal.mjs';

/**
 * @typedef {{ once: number, sent: number }} Tokens `once`: each message counted once; `sent`: in each request that sent it
 * @typedef {{ line: number, atMs: number | null, cause: 'idle' | 'compaction' | 'edited-prefix' | 'unknown',
 *   thread: number, request: number, pauseMs: number, surprise: string | null, announced: boolean, expectedTokens: number,
 *   readTokens: number, cost: number, usd: number | null }} Bust a request that lost the prompt cache
 * @typedef {import('../../ui/picture.js').BillPicture} Waterfall
 * @typedef {{ what: string, meaning: string, requests: number, difference: number, lines: number[] }} Surprise requests of which nothing in the file foretells what they cost
 * @typedef {{ requests: number, paid: number, predicted: number, unannounced: number, unannouncedRequests: number,
 *   surprises: Surprise[], busts: Bust[], waterfall: Waterfall, isRecorded: boolean,
 *   isOfSession: boolean, paidUsd: number | null, predictedUsd: number | null, outputUsd: number | null }} Bill
 * @typedef {{ policy: string, cost: number, usd: number | null, tokens: number | null, cached: number | null,
 *   prefixChanges: number | null, peakTokens: number | null, need?: NeedFigures }} PolicyFigures
 * @typedef {{ needs: number, missed: number, strongNeeds: number, strongMissed: number, lookUps: number }} NeedFigures
 * @typedef {{ kind: 'edit' | 'quote' | 'name', strong: boolean, grams: number, gone: number, example: string, replacedAt: number | null,
 *   thread: number, request: number, line: number, call: string | null, sourceCall: string | null, sourceRequest: number | null }} Miss
 *   text that a request took from a removed result; `grams`: its lines, quotations or names; `gone`: those that were no longer sent
 *
 * @typedef {{ requests: number[], paid: number[] | null, policies: { policy: string, costs: number[] }[] }} Curves
 * @typedef {{ prices: string, policies: PolicyFigures[], curves?: Curves, misses?: Miss[] }} Simulation
 *
 * @typedef {{ agent: string, agentName: string, id: string | null, project: string | null, models: string[], firstMs: number | null,
 *   lastMs: number | null, messages: number, requests: number, subAgents: number, compactions: number, peakTokens: number }} AccountHead
 *
 * @typedef {AccountHead & AccountFigures} Account contents and cost of one session
 *
 * @typedef {object} AccountFigures
 * @property {{ requests: number, prompt: number, cacheRead: number, output: number } | null} usage
 * @property {Bill | null} bill
 * @property {{ model: string | null, tokens: number }[]} unpriced
 * @property {number} fixedTokens
 * @property {{ kind: string, tokens: Tokens }[]} kinds
 * @property {{ tool: string, results: number, calls: Tokens, tokens: Tokens }[]} tools
 * @property {{ rule: string, results: number, tokens: Tokens }[]} outdated
 * @property {Simulation[]} simulations
 * @property {{ kind: string, what: string, count: number, at: string | null }[]} notes
 * @property {string | null} title the first words of the first prompt
 * @property {[tokens: number, isLost: boolean][]} outline prompt sizes of the main thread; `isLost`: the cache was lost
 * @property {[id: number | null, paid: number, quarterHour: number | null, model: number | null][]} [charged] payment per request; `model`: index in `models`;
 *   resumed and copied sessions repeat ids. No command prints it
 *
 * @typedef {{ path: string, bytes: number, sessions: Account[], error: { code: string, message: string } | null }} FileAccounts
 * @typedef {{ path: string, account: Account }} FileSession a session, and the path of its file
 * @typedef {{ pricesDate: string, uncheckedModels: string[], files: FileAccounts[], passedOver: number, notRead: number }} Accounts
 * @typedef {{ prices?: string | undefined, lists?: string[], simulate?: boolean, hindsight?: boolean, curves?: boolean,
 *   need?: 'figures' | 'misses' | 'columns' | undefined, isQuiet?: boolean }} AccountOptions
 * @typedef {{ files: number, filesDone: number, bytes: number, bytesDone: number }} Progress
 */

const drawEveryMs = 100;
/** A shorter reading shows no progress bar. */
const quietMs = 300;
/** Width of the progress bar. */
const barCells = 24;
/** Text of the note on a session with an unreadable file. */
const leftOutNote = 'file that can’t be read, left out';

/** @returns {string[]} agents' folders that exist */
export function agentFolders() {
  const environment = Object.entries(process.env).filter((entry) => entry[1] !== undefined);
  const places = loadSessionReaders().sessionPlaces(homedir(), /** @type {any} */ (Object.fromEntries(environment)));
  return places.map(({ path }) => path).filter((path) => existsSync(path));
}

/** @returns {string} their names, separated by commas */
export function knownFormats() {
  return loadSessionReaders().sessionFormats().join(', ');
}

/** @returns {string[]} names of price lists */
export function priceLists() {
  const [presets] = /** @type {[{ preset: string }[], string]} */ (
    /** @type {unknown} */ (loadSessionReaders().pricePresets())
  );
  return presets.map(({ preset }) => preset);
}

/** @param {Progress} own @param {Progress} [earlier] of the work that this is part of @returns {Progress} */
function added(own, earlier) {
  if (earlier === undefined) return own;
  return { ...earlier, filesDone: earlier.filesDone + own.filesDone, bytesDone: earlier.bytesDone + own.bytesDone };
}

/** @param {Progress} progress */
function progressLine({ files, filesDone, bytes, bytesDone }) {
  const share = bytes === 0 ? 0 : bytesDone / bytes;
  const filled = Math.round(share * barCells);
  const bar = '█'.repeat(filled) + '░'.repeat(barCells - filled);
  const line = `${bar} ${Math.floor(share * 100)} %  ${filesDone} of ${files} files`;
  return line.slice(0, widthOf(process.stderr) - 1);
}

/**
 * @param {readonly string[]} paths @param {AccountOptions} [options]
 * @param {{ done: Progress, sinceMs: number }} [part] progress and start time of the work that this call is part of
 * @returns {Promise<{ accounts: Accounts, interrupted: boolean }>}
 * @throws {Error} if the price list can't be read
 */
export async function readAccounts(paths, options = {}, part) {
  const none = { lists: [], simulate: false, hindsight: false, curves: false };
  const work = new (loadSessionReaders().SessionAccounts)(/** @type {any} */ ({ ...none, ...options }));
  let interrupted = false;
  const clear = () => {
    if (process.stderr.isTTY) printProgress('');
  };
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
    if (performance.now() - started > quietMs) printProgress(progressLine(added(work.progress(), part?.done)));
  }, drawEveryMs);
  if (!process.stderr.isTTY || options.isQuiet === true) clearInterval(timer);
  try {
    const accounts = /** @type {Accounts} */ (JSON.parse(await work.read([...paths])));
    return { accounts, interrupted };
  } finally {
    clearInterval(timer);
    process.off('SIGINT', interrupt);
    clear();
  }
}

/**
 * Prints failures. An unreadable database that was found by scanning is only a note: its agent has an export.
 * @param {Accounts} accounts @param {boolean} interrupted
 * @param {readonly string[]} named paths on the command line; empty if the installed agents' folders were read
 * @returns {number} number of files that couldn't be read
 */
export function printFailures({ files, notRead }, interrupted, named) {
  const isNote = (/** @type {FileAccounts} */ { error }) =>
    named.length === 0 && error?.code === 'ERR_SESSION_DATABASE';
  for (const { path, error } of files.filter(isNote)) {
    printLabelled('note', `${path}: ${error?.message}`);
  }
  for (const { path, sessions } of files) {
    for (const { what, count, at } of sessions.flatMap(({ notes }) => notes)) {
      if (what === leftOutNote) printLabelled('note', `${path}: ${count} × ${what}; the first: ${at}`);
    }
  }
  const failed = files.filter((file) => file.error !== null && !isNote(file));
  for (const { path, error } of failed) printLabelled('error', `${path}: ${error?.message}`);
  if (interrupted) printLabelled('interrupted', `${notRead} files weren’t read`);
  return failed.length;
}

/** @param {Accounts} accounts @returns {FileSession[]} */
export function sessionsIn({ files }) {
  return files.flatMap(({ path, sessions }) => sessions.map((account) => ({ path, account })));
}

/** The path; with the session id if the file may hold several. @param {FileSession} session */
export function sessionName({ path, account }) {
  return account.id !== null && path.endsWith('output.jsonl') ? `${path}#${account.id}` : path;
}
