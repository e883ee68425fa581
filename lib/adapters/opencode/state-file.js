// @ts-check
'use strict';

const { fs, os, path } = require('../../node-modules.js');

/**
 * @typedef {import('../../entry/types/fact-store.js').StoredFact} StoredFact
 * @typedef {Partial<StoredFact> & { sent?: Record<string, unknown> }} Entry
 */

/** @param {NodeJS.ProcessEnv} environment */
function stateFolder({ XDG_STATE_HOME: state }) {
  return path.join(state ? state : path.join(os.homedir(), '.local', 'state'), 'opencode', 'palimpsest');
}

/** @param {string} folder @param {string} sessionId */
const fileOf = (folder, sessionId) => path.join(folder, `${encodeURIComponent(sessionId)}.jsonl`);

/**
 * A FactStore in a file of ours, since opencode has no place for a session's facts. A line is a fact, or bodies that were sent. opencode
 * runs a session in one process at a time.
 */
class StateFile {
  #file;
  /** The file's length when it was read. */ #length = -1;
  /** @type {Entry[]} */ #entries = [];

  /** @param {string} folder @param {string} sessionId */
  constructor(folder, sessionId) {
    this.#file = fileOf(folder, sessionId);
  }

  /** @param {string} _ @param {number} from @param {readonly string[]} facts @returns {Promise<StoredFact[]>} */
  async appendFacts(_, from, facts) {
    const standing = this.#read().flatMap(factsIn);
    const atMs = Date.now();
    const added = standing.length === from ? facts.map((fact) => ({ fact, atMs })) : [];
    for (const entry of added) this.#append(entry);
    return [...standing, ...added].slice(from);
  }

  /** @param {string} id */
  async facts(id) {
    return this.appendFacts(id, 0, []);
  }

  /** What `LastProjection` has noted. */
  sent() {
    return sentIn(this.#read());
  }

  /** @param {Record<string, unknown>} sent */
  noteSent(sent) {
    this.#append({ sent });
  }

  /** A line that was cut off is left out. @returns {Entry[]} */
  #read() {
    const { size } = fs.statSync(this.#file, { throwIfNoEntry: false }) ?? { size: 0 };
    if (size === this.#length) return this.#entries;
    this.#entries = size === 0 ? [] : fs.readFileSync(this.#file, 'utf8').split('\n').flatMap(entryIn);
    this.#length = size;
    return this.#entries;
  }

  /** @param {Entry} entry */
  #append(entry) {
    const line = `${JSON.stringify(entry)}\n`;
    const isRead = this.#length === (fs.statSync(this.#file, { throwIfNoEntry: false })?.size ?? 0);
    fs.mkdirSync(path.dirname(this.#file), { recursive: true });
    fs.appendFileSync(this.#file, line, { mode: 0o600 });
    if (!isRead) return;
    this.#entries.push(entry);
    this.#length += Buffer.byteLength(line);
  }
}

/** @param {string} line @returns {Entry[]} */
function entryIn(line) {
  try {
    return line === '' ? [] : [JSON.parse(line)];
  } catch {
    return [];
  }
}

/** @param {Entry} entry @returns {StoredFact[]} */
function factsIn({ fact, atMs }) {
  return fact === undefined || atMs === undefined ? [] : [{ fact, atMs }];
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
