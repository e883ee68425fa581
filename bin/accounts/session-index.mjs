// @ts-check
/** Reads and caches the accounts of sessions. A file is read again if its path, size or modification time changed. */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { loadLibrary, loadSessionReaders } from '../library.mjs';
import { stateOfFiles, statsOf } from '../regular-file.mjs';
import { readAccounts } from './read.mjs';

/** @import { Accounts, FileAccounts } from './read.mjs' */
/** @typedef {{ state: string, file: FileAccounts | null }} Cached `file`: null if the path is not a session */
/** @typedef {ReturnType<typeof stateOfFiles> & { path: string }} FoundFile */
/** @typedef {{ accounts: Accounts, doneBytes: number, allBytes: number }} Step in bytes of uncached files */

/** Bytes read per step; each step shows what is known. */ const stepBytes = 64 * 1024 * 1024;
/** Incremented when the content of the cache file changes. */ const cacheVersion = 3;
/** A file found by scanning that fails with one of these is not a session; other failures are reported. */
const noSessionCodes = ['ERR_SESSION_FORMAT', 'ERR_SESSION_NOT_UNDERSTOOD', 'ERR_SESSION_EMPTY'];

/** @returns {string} the system's cache folder */
function cacheFolder() {
  const { XDG_CACHE_HOME, LOCALAPPDATA } = process.env;
  if (XDG_CACHE_HOME) return join(XDG_CACHE_HOME, 'palimpsest');
  if (process.platform === 'win32' && LOCALAPPDATA) return join(LOCALAPPDATA, 'palimpsest', 'cache');
  return join(homedir(), process.platform === 'darwin' ? 'Library/Caches' : '.cache', 'palimpsest');
}

/** The accounts (what each session holds and cost, without simulations) of all sessions under some paths. */
export class SessionIndex {
  #prices;
  #cachePath;
  /** By path. @type {Map<string, Cached>} */ #cached = new Map();
  #pricesDate = '';
  /** Models in all read files whose price isn't verified. @type {Set<string>} */ #unchecked = new Set();

  /** @param {{ prices: string | undefined, hasCacheFile: boolean }} options `prices`: JSON text */
  constructor({ prices, hasCacheFile }) {
    this.#prices = prices;
    // Accounts depend on the version and the prices.
    const key = createHash('sha256').update(JSON.stringify([cacheVersion, loadLibrary().version, prices ?? null]));
    this.#cachePath = hasCacheFile ? join(cacheFolder(), `sessions-${key.digest('hex').slice(0, 16)}.json`) : undefined;
    if (this.#cachePath === undefined) return;
    try {
      const { pricesDate, unchecked, known } = JSON.parse(readFileSync(this.#cachePath, 'utf8'));
      this.#cached = new Map(known);
      this.#unchecked = new Set(unchecked);
      this.#pricesDate = pricesDate;
    } catch {
      // No valid cache file: everything is read.
    }
  }

  #store() {
    if (this.#cachePath === undefined) return;
    try {
      mkdirSync(cacheFolder(), { recursive: true, mode: 0o700 });
      const kept = { pricesDate: this.#pricesDate, unchecked: [...this.#unchecked], known: [...this.#cached] };
      // Readable by the owner only: it contains first prompts.
      writeFileSync(`${this.#cachePath}.${process.pid}`, JSON.stringify(kept), { mode: 0o600 });
      renameSync(`${this.#cachePath}.${process.pid}`, this.#cachePath);
    } catch {
      // Without a cache file, everything is read again.
    }
  }

  /**
   * Reads newest files first.
   * @param {readonly string[]} paths @param {{ isQuiet?: boolean, onStep?: (step: Step) => void }} [options] `isQuiet`:
   *   without a progress bar; `onStep`: gets everything known after each step
   * @returns {Promise<{ accounts: Accounts, interrupted: boolean }>}
   */
  async read(paths, { isQuiet = false, onStep = () => {} } = {}) {
    const sources = loadSessionReaders().sessionSources([...paths]);
    const found = sources.map(({ path, files }) => ({ path, ...stateOfFiles(files) }));
    const missing = paths.filter((path) => statsOf(path) === undefined);
    const unreadable = sources.filter(({ files }) => files.length === 0).map(({ path }) => path);
    for (const path of unreadable) this.#cached.delete(path);
    const isChanged = (/** @type {FoundFile} */ { path, state }) => this.#cached.get(path)?.state !== state;
    const waiting = found.filter((file) => isChanged(file) && !unreadable.includes(file.path));
    waiting.sort((a, b) => b.changedMs - a.changedMs);
    const allBytes = waiting.reduce((sum, { bytes }) => sum + bytes, 0);
    const progress = { files: waiting.length, filesDone: 0, bytes: allBytes, bytesDone: 0 };
    const sinceMs = performance.now();
    /** @type {FileAccounts[]} */ const failures = [];
    // Until a file that has grown is read, its cached account is shown.
    if (allBytes > 0) onStep({ accounts: this.#accounts(found, failures, 0), doneBytes: 0, allBytes });
    // Reading these reports why they can't be read.
    let unlisted = [...new Set([...missing, ...unreadable])];
    for (;;) {
      const step = nextStep(waiting);
      const stepPaths = [...step.map(({ path }) => path), ...unlisted];
      unlisted = [];
      const read = await readAccounts(stepPaths, { prices: this.#prices, isQuiet }, { done: progress, sinceMs });
      const { interrupted } = read;
      progress.filesDone += step.length;
      progress.bytesDone += step.reduce((sum, { bytes }) => sum + bytes, 0);
      failures.push(...this.#remember(step, read, paths));
      if (step.length > 0 && (waiting.length === 0 || interrupted)) this.#store();
      const accounts = this.#accounts(found, failures, read.accounts.notRead + (interrupted ? waiting.length : 0));
      onStep({ accounts, doneBytes: progress.bytesDone, allBytes });
      if (waiting.length === 0 || interrupted) return { accounts, interrupted };
    }
  }

  /**
   * Remembers what a step has read.
   * @param {readonly FoundFile[]} step @param {{ accounts: Accounts, interrupted: boolean }} read
   * @param {readonly string[]} named paths of the command line, whose failures are always reported
   * @returns {FileAccounts[]} the failures
   */
  #remember(step, { accounts: { files, pricesDate, uncheckedModels }, interrupted }, named) {
    this.#pricesDate = pricesDate;
    for (const model of uncheckedModels) this.#unchecked.add(model);
    const read = new Map(files.map((file) => [file.path, file]));
    for (const { path, state } of step) {
      const file = read.get(path) ?? null;
      // The interrupt came before this file; the next run reads it.
      if (file === null && interrupted) continue;
      const isNoSession = file?.error != null && noSessionCodes.includes(file.error.code) && !named.includes(path);
      if (file?.error == null || isNoSession) this.#cached.set(path, { state, file: isNoSession ? null : file });
      else this.#cached.delete(path);
    }
    const isPassedOver = (/** @type {string} */ path) => this.#cached.get(path)?.file === null;
    return files.filter(({ path, error }) => error !== null && !isPassedOver(path));
  }

  /** @param {FoundFile[]} found @param {FileAccounts[]} failures @param {number} notRead @returns {Accounts} */
  #accounts(found, failures, notRead) {
    const known = found.map(({ path }) => this.#cached.get(path));
    const files = known.flatMap((one) => one?.file ?? []);
    const passedOver = known.filter((one) => one?.file === null).length;
    const sorted = [...files, ...failures].sort((a, b) => (a.path < b.path ? -1 : 1));
    const models = new Set(files.flatMap(({ sessions }) => sessions.flatMap((session) => session.models)));
    const uncheckedModels = [...models].filter((model) => this.#unchecked.has(model)).sort();
    return { pricesDate: this.#pricesDate, uncheckedModels, files: sorted, passedOver, notRead };
  }
}

/** The next files to read together. @param {FoundFile[]} waiting they are removed from it */
function nextStep(waiting) {
  let bytes = 0;
  const end = waiting.findIndex((file, at) => {
    bytes += file.bytes;
    return at > 0 && bytes > stepBytes;
  });
  return waiting.splice(0, end < 0 ? waiting.length : end);
}
