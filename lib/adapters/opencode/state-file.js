// @ts-check
'use strict';

const { isList } = require('../../lists.js');
const { fs, os, path } = require('../../node-modules.js');

/**
 * @typedef {import('../../entry/types/state-store.js').StateCommit} StateCommit
 * @typedef {{ version?: number, state?: string, delta?: string, sent?: Record<string, unknown> }} Entry
 */

/** In place of a size, where something else than a file has the file's name. */
const NO_FILE = -2;

/** @param {NodeJS.ProcessEnv} environment */
function stateFolder({ XDG_STATE_HOME: state }) {
  return path.join(state ? state : path.join(os.homedir(), '.local', 'state'), 'opencode', 'palimpsest');
}

/** @param {string} folder @param {string} sessionId */
const fileOf = (folder, sessionId) => path.join(folder, `${encodeURIComponent(sessionId)}.jsonl`);

/**
 * A StateStore in a file of ours, since opencode has no place for a session's state. A line is a commit, or bodies that were sent.
 * opencode runs a session in one process at a time, so there are no leases; a commit of a process that has not seen the newest one
 * is refused.
 */
class StateFile {
  #file;
  /** The file's length when it was read. */ #length = -1;
  /** @type {Entry[]} */ #entries = [];

  /** @param {string} folder @param {string} sessionId */
  constructor(folder, sessionId) {
    this.#file = fileOf(folder, sessionId);
  }

  async acquire() {
    const entries = this.#read();
    const from = entries.findLastIndex(({ state }) => state !== undefined);
    const snapshot = entries[from]?.state;
    const deltas = entries.slice(from + 1).flatMap(({ delta }) => (delta === undefined ? [] : [delta]));
    const state = snapshot === undefined ? null : { snapshot, deltas };
    return { state, version: versionOf(entries), fence: 0, nowMs: Date.now() };
  }

  /** @param {string} _ @param {StateCommit} commit */
  async commit(_, { version: before, state, delta }) {
    const entries = this.#read();
    if (versionOf(entries) !== before)
      throw Object.assign(new Error('another process has the session'), { code: 'STORE_STALE' });
    const version = before + 1;
    if (state === undefined) this.#append({ version, delta });
    else this.#replace([{ sent: sentIn(entries) }, { version, state }]);
    return { version, nowMs: Date.now() };
  }

  async release() {}

  /** What `LastProjection` has noted. */
  sent() {
    return sentIn(this.#read());
  }

  /** @param {Record<string, unknown>} sent */
  noteSent(sent) {
    this.#append({ sent });
  }

  /** A line that was cut off, or is no entry, is left out. @returns {Entry[]} */
  #read() {
    const size = sizeOf(this.#file);
    if (size === NO_FILE) return this.#entries;
    if (size === this.#length) return this.#entries;
    this.#entries = size === 0 ? [] : fs.readFileSync(this.#file, 'utf8').split('\n').flatMap(entryIn);
    this.#length = size;
    return this.#entries;
  }

  /** @param {Entry} entry */
  #append(entry) {
    const line = `${JSON.stringify(entry)}\n`;
    const size = sizeOf(this.#file);
    if (size === NO_FILE) return void this.#entries.push(entry);
    const isRead = this.#length === size;
    fs.mkdirSync(path.dirname(this.#file), { recursive: true });
    fs.appendFileSync(this.#file, line, { mode: 0o600 });
    if (!isRead) return;
    this.#entries.push(entry);
    this.#length += Buffer.byteLength(line);
  }

  /** @param {Entry[]} entries */
  #replace(entries) {
    if (sizeOf(this.#file) === NO_FILE) {
      this.#entries = entries;
      return;
    }
    const text = entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
    fs.mkdirSync(path.dirname(this.#file), { recursive: true });
    const beside = `${this.#file}.${process.pid}`;
    fs.writeFileSync(beside, text, { mode: 0o600 });
    fs.renameSync(beside, this.#file);
    this.#entries = entries;
    this.#length = Buffer.byteLength(text);
  }
}

/** 0 where nothing is yet. Reading a pipe or a device would block: what is no file keeps nothing. @param {string} file */
function sizeOf(file) {
  const stats = fs.statSync(file, { throwIfNoEntry: false });
  if (stats === undefined) return 0;
  return stats.isFile() ? stats.size : NO_FILE;
}

/** @param {string} line @returns {Entry[]} */
function entryIn(line) {
  try {
    const entry = line === '' ? null : JSON.parse(line);
    return isEntry(entry) ? [entry] : [];
  } catch {
    return [];
  }
}

/** @param {any} entry @returns {entry is Entry} */
function isEntry(entry) {
  if (entry === null || typeof entry !== 'object' || isList(entry)) return false;
  const { version, state, delta, sent } = entry;
  const isText = (/** @type {unknown} */ text) => text === undefined || typeof text === 'string';
  const isVersion = version === undefined || Number.isSafeInteger(version);
  const isSent = sent === undefined || (typeof sent === 'object' && sent !== null && !isList(sent));
  return isVersion && isText(state) && isText(delta) && isSent;
}

/** @param {readonly Entry[]} entries */
function versionOf(entries) {
  return entries.findLast(({ version }) => version !== undefined)?.version ?? 0;
}

/** @param {readonly Entry[]} entries @returns {Record<string, unknown>} */
function sentIn(entries) {
  const all = Object.assign({}, ...entries.map(({ sent }) => sent ?? {}));
  return Object.fromEntries(Object.entries(all).filter(([, body]) => body !== null));
}

/** The user has deleted the session. @param {string} folder @param {string} sessionId */
function removeState(folder, sessionId) {
  fs.rmSync(fileOf(folder, sessionId), { force: true });
}

module.exports = { removeState, StateFile, stateFolder };
