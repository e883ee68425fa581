// @ts-check
/** Stores conversations' facts: when requests were sent, and fingerprints of their last messages. No content. */
import fs from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** @typedef {{ fact: string, atMs: number }} StoredFact `fact`: JSON text; `atMs`: when it was written */
/** @typedef {{ facts: StoredFact[], bytes: number, isTorn: boolean }} KnownFile `isTorn`: its last line is cut off */

/** Files are deleted after this time; sessions are rarely resumed later. */ const KEPT_MS = 60 * 86_400_000;
/** Maximum number of sessions in memory; higher without files, where memory is the only copy. */
const [MAX_SESSIONS, MAX_SESSIONS_WITHOUT_FILES] = [256, 4096];
const ENDING = '.facts';

/** @param {NodeJS.ProcessEnv} environment */
export function stateFolder({ XDG_STATE_HOME: state }) {
  return join(state ? state : join(homedir(), '.local', 'state'), 'palimpsest');
}

/** A store of facts: one file per session, shared by its conversations. Without a folder, memory only. */
export class FactFiles {
  #folder;
  #clock;
  /** By session, least recently used first. @type {Map<string, KnownFile>} */ #known = new Map();

  /** @param {string | null} folder @param {() => number} [clock] in ms */
  constructor(folder, clock = Date.now) {
    this.#folder = folder;
    this.#clock = clock;
    if (folder !== null) removeOld(folder, Date.now());
  }

  /**
   * Writes facts unless others were written in the meantime.
   * @param {string} id of a conversation @param {number} from expected number of stored facts
   * @param {readonly string[]} facts @returns {StoredFact[]} those stored from position `from` on
   */
  appendFacts(id, from, facts) {
    const known = this.#read(sessionOf(id));
    if (known.facts.length === from) this.addFacts(id, facts);
    return known.facts.slice(from);
  }

  /** @param {string} id @returns {StoredFact[]} */
  facts(id) {
    return [...this.#read(sessionOf(id)).facts];
  }

  /** Writes facts after all others. @param {string} id of a conversation @param {readonly string[]} facts */
  addFacts(id, facts) {
    if (facts.length === 0) return;
    const known = this.#read(sessionOf(id));
    const added = facts.map((fact) => ({ fact, atMs: this.#clock() }));
    if (this.#folder !== null) {
      const text = `${known.isTorn ? '\n' : ''}${added.map((one) => `${JSON.stringify(one)}\n`).join('')}`;
      fs.appendFileSync(fileIn(this.#folder, sessionOf(id)), text, { mode: 0o600 });
      known.bytes += Buffer.byteLength(text);
      known.isTorn = false;
    }
    known.facts.push(...added);
  }

  /** Reads the file's new lines, including those of other processes. @param {string} session */
  #read(session) {
    const known = this.#known.get(session) ?? { facts: [], bytes: 0, isTorn: false };
    this.#known.delete(session);
    this.#known.set(session, known);
    const maxSessions = this.#folder === null ? MAX_SESSIONS_WITHOUT_FILES : MAX_SESSIONS;
    if (this.#known.size > maxSessions) this.#known.delete(/** @type {string} */ (this.#known.keys().next().value));
    if (this.#folder === null) return known;
    makePrivate(this.#folder);
    const added = bytesFrom(fileIn(this.#folder, session), known.bytes);
    known.bytes += added.length;
    if (added.length === 0) return known;
    const text = added.toString('utf8');
    known.isTorn = !text.endsWith('\n');
    for (const line of text.split('\n')) known.facts.push(...factIn(line));
    return known;
  }
}

/** @param {string} id */
const sessionOf = (id) => /** @type {string} */ (id.split(' ')[0]);

/** @param {string} folder @param {string} session */
const fileIn = (folder, session) => join(folder, `${session}${ENDING}`);

/** Creates the folder, readable by its owner only. @param {string} folder */
function makePrivate(folder) {
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (process.platform !== 'win32' && (fs.statSync(folder).mode & 0o077) !== 0) fs.chmodSync(folder, 0o700);
}

/** @param {string} file @param {number} from */
function bytesFrom(file, from) {
  if (fs.statSync(file, { throwIfNoEntry: false })?.isFile() !== true) return Buffer.alloc(0);
  const descriptor = fs.openSync(file, 'r');
  try {
    const bytes = Buffer.alloc(Math.max(0, fs.fstatSync(descriptor).size - from));
    return bytes.subarray(0, fs.readSync(descriptor, bytes, 0, bytes.length, from));
  } finally {
    fs.closeSync(descriptor);
  }
}

/** The fact in a line; a truncated line has none. @param {string} line @returns {StoredFact[]} */
function factIn(line) {
  try {
    const { fact, atMs } = JSON.parse(line);
    return typeof fact === 'string' && Number.isFinite(atMs) ? [{ fact, atMs }] : [];
  } catch {
    return [];
  }
}

/** @param {string} folder @param {number} now */
function removeOld(folder, now) {
  try {
    for (const name of fs.readdirSync(folder)) {
      const file = join(folder, name);
      if (name.endsWith(ENDING) && now - fs.statSync(file).mtimeMs > KEPT_MS) fs.rmSync(file, { force: true });
    }
  } catch {
    // The folder does not exist yet or is unreadable.
  }
}
