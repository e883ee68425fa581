// @ts-check
'use strict';

const { fs, os, path } = require('../../node-modules.js');

/** @param {NodeJS.ProcessEnv} environment */
function stateFolder({ XDG_STATE_HOME: state }) {
  return path.join(state ? state : path.join(os.homedir(), '.local', 'state'), 'opencode', 'palimpsest');
}

/** The path of a session's file. @param {string} folder @param {string} sessionId */
const fileOf = (folder, sessionId) => path.join(folder, `${encodeURIComponent(sessionId)}.jsonl`);

/** The replacements of a session's last request, in a file of ours because opencode has no place for them. Each line holds changes of one request. */
class StateFile {
  #file;

  /** @param {string} folder @param {string} sessionId */
  constructor(folder, sessionId) {
    this.#file = fileOf(folder, sessionId);
  }

  /** The changes recorded by `LastProjection`. @returns {Record<string, unknown>} */
  sent() {
    if (fs.statSync(this.#file, { throwIfNoEntry: false })?.isFile() !== true) return {};
    const all = Object.assign({}, ...fs.readFileSync(this.#file, 'utf8').split('\n').map(sentIn));
    return Object.fromEntries(Object.entries(all).filter(([, body]) => body !== null));
  }

  /** @param {Record<string, unknown>} sent */
  noteSent(sent) {
    // Writing to a pipe would block.
    if (fs.statSync(this.#file, { throwIfNoEntry: false })?.isFile() === false) return;
    fs.mkdirSync(path.dirname(this.#file), { recursive: true });
    fs.appendFileSync(this.#file, `${JSON.stringify({ sent })}\n`, { mode: 0o600 });
  }
}

/** A truncated line is skipped. @param {string} line @returns {Record<string, unknown>} */
function sentIn(line) {
  try {
    const { sent } = JSON.parse(line);
    return typeof sent === 'object' && sent !== null && !Array.isArray(sent) ? sent : {};
  } catch {
    return {};
  }
}

/** Called when the user deletes the session. @param {string} folder @param {string} sessionId */
function removeState(folder, sessionId) {
  fs.rmSync(fileOf(folder, sessionId), { force: true });
}

module.exports = { removeState, StateFile, stateFolder };
