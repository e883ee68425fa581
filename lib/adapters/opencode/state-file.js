// @ts-check
'use strict';

const { fs, os, path } = require('../../node-modules.js');

/** @typedef {{ sent?: Record<string, unknown> }} Entry */

/** @param {NodeJS.ProcessEnv} environment */
function stateFolder({ XDG_STATE_HOME: state }) {
  return path.join(state ? state : path.join(os.homedir(), '.local', 'state'), 'opencode', 'palimpsest');
}

/** @param {string} folder @param {string} sessionId */
const fileOf = (folder, sessionId) => path.join(folder, `${encodeURIComponent(sessionId)}.jsonl`);

/** What was sent last in a session, in a file of ours, since opencode has no place for it. A line holds bodies that were sent. */
class StateFile {
  #file;

  /** @param {string} folder @param {string} sessionId */
  constructor(folder, sessionId) {
    this.#file = fileOf(folder, sessionId);
  }

  /** What `LastProjection` has noted. */
  sent() {
    const isFile = fs.statSync(this.#file, { throwIfNoEntry: false })?.isFile() === true;
    return sentIn(isFile ? fs.readFileSync(this.#file, 'utf8').split('\n').flatMap(entryIn) : []);
  }

  /** @param {Record<string, unknown>} sent */
  noteSent(sent) {
    // Writing to a pipe would block.
    if (fs.statSync(this.#file, { throwIfNoEntry: false })?.isFile() === false) return;
    fs.mkdirSync(path.dirname(this.#file), { recursive: true });
    fs.appendFileSync(this.#file, `${JSON.stringify({ sent })}\n`, { mode: 0o600 });
  }
}

/** A line that was cut off is left out. @param {string} line @returns {Entry[]} */
function entryIn(line) {
  try {
    const { sent } = line === '' ? {} : JSON.parse(line);
    return typeof sent === 'object' && sent !== null && !Array.isArray(sent) ? [{ sent }] : [];
  } catch {
    return [];
  }
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
