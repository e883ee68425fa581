// @ts-check
/**
 * Accounts of recorded sessions without simulations, each file read once: what was read is kept in the user's cache directory, by path,
 * size and time of change, and is read anew where one of these is another.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { loadInner, loadLibrary } from '../library.mjs';
import { readAccounts } from './read.mjs';

/**
 * @typedef {import('./read.mjs').Accounts} Accounts
 * @typedef {import('./read.mjs').FileAccounts} FileAccounts
 * @typedef {{ state: string, file: FileAccounts | null }} Known `file` is null for what is no session
 * @typedef {{ path: string, state: string, bytes: number, changedMs: number }} Found
 * @typedef {{ accounts: Accounts, interrupted: boolean, done: number, all: number }} Step of `all` bytes that aren't known, `done` are read
 */

/** So much is read before what is known is told. */
const stepBytes = 256 * 1024 * 1024;
/** Written by another form of these files, nothing is read. */
const form = 1;
/** Of files that nobody named, these are no sessions; others can't be read. */
const noSession = ['ERR_SESSION_FORMAT', 'ERR_SESSION_EMPTY'];

/** @returns {string} where the system keeps what may be thrown away */
function cacheFolder() {
  const { XDG_CACHE_HOME, LOCALAPPDATA } = process.env;
  if (XDG_CACHE_HOME) return join(XDG_CACHE_HOME, 'palimpsest');
  if (process.platform === 'win32' && LOCALAPPDATA) return join(LOCALAPPDATA, 'palimpsest', 'cache');
  return join(homedir(), process.platform === 'darwin' ? 'Library/Caches' : '.cache', 'palimpsest');
}

/** @param {string} path */
function statusOf(path) {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    // A link to itself, or a folder that is closed to us: who reads it says so.
    return undefined;
  }
}

/** @param {string} path @param {readonly string[]} files @returns {Found} */
function foundAt(path, files) {
  const all = files.map(statusOf);
  const bytes = all.reduce((sum, status) => sum + (status?.size ?? 0), 0);
  const changedMs = Math.max(0, ...all.map((status) => status?.mtimeMs ?? 0));
  return { path, bytes, changedMs, state: `${files.length} ${bytes} ${changedMs}` };
}

export class SessionIndex {
  #prices;
  #path;
  /** @type {Map<string, Known>} */
  #known = new Map();
  #pricesDate = '';

  /** @param {{ prices: string | undefined, isKept: boolean }} options `isKept`: whether a file keeps it */
  constructor({ prices, isKept }) {
    this.#prices = prices;
    // Another version, or other prices, would say something else of the same file.
    const key = createHash('sha256').update(JSON.stringify([form, loadLibrary().version, prices ?? null]));
    this.#path = isKept ? join(cacheFolder(), `sessions-${key.digest('hex').slice(0, 16)}.json`) : undefined;
    this.#load();
  }

  #load() {
    if (this.#path === undefined) return;
    try {
      const { pricesDate, known } = JSON.parse(readFileSync(this.#path, 'utf8'));
      this.#known = new Map(known);
      this.#pricesDate = pricesDate;
    } catch {
      // There is none yet, or what is there isn't ours: everything is read.
    }
  }

  #keep() {
    if (this.#path === undefined) return;
    try {
      mkdirSync(cacheFolder(), { recursive: true, mode: 0o700 });
      const text = JSON.stringify({ pricesDate: this.#pricesDate, known: [...this.#known] });
      // First prompts stand in it.
      writeFileSync(`${this.#path}.${process.pid}`, text, { mode: 0o600 });
      renameSync(`${this.#path}.${process.pid}`, this.#path);
    } catch {
      // Where nothing can be kept it is read again.
    }
  }

  /**
   * Reads what lies under `paths`, newest first, and tells what is known so far after each step.
   * @param {readonly string[]} paths
   * @param {{ isQuiet?: boolean }} [options] without a bar
   * @returns {AsyncGenerator<Step, void>} at least one step; the last has everything
   */
  async *read(paths, options = {}) {
    const sources = loadInner().sessions.sessionSources([...paths]);
    const found = sources.map(({ path, files }) => foundAt(path, files));
    const missing = paths.filter((path) => statusOf(path) === undefined);
    const closed = sources.filter(({ files }) => files.length === 0).map(({ path }) => path);
    const isNew = (/** @type {Found} */ { path, state }) => this.#known.get(path)?.state !== state;
    const waiting = found.filter((one) => isNew(one) && !closed.includes(one.path));
    waiting.sort((a, b) => b.changedMs - a.changedMs);
    const all = waiting.reduce((sum, { bytes }) => sum + bytes, 0);
    /** @type {FileAccounts[]} */
    const failures = [];
    let [done, interrupted, isFirst] = [0, false, true];
    while (isFirst || (waiting.length > 0 && !interrupted)) {
      const step = nextStep(waiting);
      const extra = isFirst ? [...new Set([...missing, ...closed])] : [];
      const read = await this.#step([...step.map(({ path }) => path), ...extra], options);
      interrupted = read.interrupted;
      done += step.reduce((sum, { bytes }) => sum + bytes, 0);
      failures.push(...this.#learn(step, read.accounts, paths));
      const accounts = this.#accounts(found, failures, read.accounts.notRead + (interrupted ? waiting.length : 0));
      isFirst = false;
      if (step.length > 0 && (waiting.length === 0 || interrupted)) this.#keep();
      yield { accounts, interrupted, done, all };
    }
  }

  /** @param {string[]} paths @param {{ isQuiet?: boolean }} options */
  async #step(paths, { isQuiet = false }) {
    const plain = { prices: this.#prices, lists: [], simulate: false, hindsight: false, curves: false };
    const read = await readAccounts(paths, { ...plain, isQuiet, isIdentified: true });
    this.#pricesDate = read.accounts.pricesDate;
    return read;
  }

  /** @param {readonly Found[]} step @param {Accounts} accounts @param {readonly string[]} named @returns {FileAccounts[]} what can't be read */
  #learn(step, { files }, named) {
    const read = new Map(files.map((file) => [file.path, file]));
    for (const { path, state } of step) {
      const file = read.get(path) ?? null;
      if (file?.error == null) this.#known.set(path, { state, file });
      else if (noSession.includes(file.error.code) && !named.includes(path))
        this.#known.set(path, { state, file: null });
    }
    const isPassedOver = (/** @type {string} */ path) => this.#known.get(path)?.file === null;
    return files.filter(({ path, error }) => error !== null && !isPassedOver(path));
  }

  /** @param {readonly Found[]} found @param {readonly FileAccounts[]} failures @param {number} notRead @returns {Accounts} */
  #accounts(found, failures, notRead) {
    const known = found.map(({ path, state }) => this.#known.get(path)?.state === state && this.#known.get(path));
    const files = known.flatMap((one) => (one && one.file !== null ? [one.file] : []));
    const passedOver = known.filter((one) => one && one.file === null).length;
    const sorted = [...files, ...failures].sort((a, b) => (a.path < b.path ? -1 : 1));
    const unchecked = new Set(files.flatMap(({ uncheckedModels = [] }) => uncheckedModels));
    return { pricesDate: this.#pricesDate, uncheckedModels: [...unchecked].sort(), files: sorted, passedOver, notRead };
  }
}

/** Takes the first of what waits, as much as is read at once. @param {Found[]} waiting */
function nextStep(waiting) {
  let bytes = 0;
  let count = 0;
  while (count < waiting.length && (count === 0 || bytes + (waiting[count]?.bytes ?? 0) <= stepBytes)) {
    bytes += waiting[count]?.bytes ?? 0;
    count++;
  }
  return waiting.splice(0, count);
}
