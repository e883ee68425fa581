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

/** The replacements of a session's last request, in a file of ours because opencode has no place for them. Each line holds replacement bodies. */
class StateFile {
  #file;

  /** @param {string} folder @param {string} sessionId */
  constructor(folder, sessionId) {
    this.#file = fileOf(folder, sessionId);
  }

  /** The changes recorded by `LastProjection`. */
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

/** A truncated line is skipped. @param {string} line @returns {Entry[]} */
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

/** Called when the user deletes the session. @param {string} folder @param {string} sessionId */
function removeState(folder, sessionId) {
  fs.rmSync(fileOf(folder, sessionId), { force: true });
}

module.exports = { removeState, StateFile, stateFolder };
