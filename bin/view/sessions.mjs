// @ts-check
/** The sessions that `palimpsest view` shows. Files outside the given paths, reached by links, are hidden. */
import { createHash } from 'node:crypto';
import { readdirSync, realpathSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { sessionsIn } from '../accounts/read.mjs';
import { loadInternals, loadSessionReaders } from '../library.mjs';
import { stateOfFiles, statsOf } from '../regular-file.mjs';
import { readSession } from '../session-file.mjs';

/**
 * @import { Account, Accounts, FileAccounts } from '../accounts/read.mjs'
 * @import { SessionIndex } from '../accounts/session-index.mjs'
 * @typedef {{ accounts: Accounts, interrupted: boolean }} Read
 * @typedef {{ id: string, path: string, indexInFile: number, account: Account }} Viewed `id`: opaque, so that the page
 *   never sends a path; `indexInFile`: among the sessions of its file
 * @typedef {{ prices: string | undefined, lists: string[] }} Pricing
 * @typedef {{ points: object[], messages: any[] }} History compactions, and messages for `<compression-history>`
 */

/** A list older than `listAgeMs` is read again on request, which waits for `patienceMs`, then gets what is known. */
const [listAgeMs, patienceMs] = [5_000, 100];
/** Messages that are read at a time. */ const pageSize = 500;

/** `message` contains nothing from the file. */
export class UnreadableSession extends Error {
  /** @param {string | undefined} code @param {string | undefined} message */
  constructor(code, message) {
    super(message ?? 'the session could not be read');
    this.code = code ?? 'ERR_UNREADABLE';
  }
}

/** The path without links; undefined if there is no such file. @param {string} path */
function realPathOf(path) {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

/** Files of a session; a folder may be one session. @param {string} path */
function filesOf(path) {
  if (statsOf(path)?.isDirectory() !== true) return [path];
  return readdirSync(path).map((name) => join(path, name));
}

/** Each reading creates new failure objects. @param {FileAccounts} file @param {FileAccounts} [earlier] */
function isSameFile(file, earlier) {
  if (file === earlier) return true;
  return file.error !== null && file.path === earlier?.path && file.error.message === earlier.error?.message;
}

/** Reads the list of sessions again while the page is open, and reads single sessions from their files. */
export class ViewedSessions {
  /** The given paths without links. */ #roots;
  #paths;
  #pricing;
  #index;
  /** @type {Viewed[]} */ #sessions = [];
  /** Number of files outside the given paths. */ outside = 0;
  /** @type {{ path: string, code: string, message: string }[]} */ failures = [];
  /** Bytes of the current reading; null when none is running. @type {{ done: number, all: number } | null} */
  reading = null;
  /** Number of files that are no sessions. */ passedOver = 0;
  /** Incremented when the list changes. */ generation = 0;
  /** When the list was read last, in ms. */ #readAtMs = 0;
  /** @type {readonly FileAccounts[]} */ #files = [];
  /** @type {Promise<Read> | undefined} */ #work;

  /** @param {readonly string[]} paths @param {Pricing} pricing @param {SessionIndex} index */
  constructor(paths, pricing, index) {
    this.#index = index;
    this.#paths = paths.map((path) => resolve(path));
    this.#roots = this.#paths.map(realPathOf).filter((root) => root !== undefined);
    this.#pricing = pricing;
  }

  /**
   * Resolves when everything is read, or earlier with undefined once there is a session to show.
   * @param {{ waitsForAll: boolean, readLater: (read: Read) => void }} options `waitsForAll`: resolve only when
   *   everything is read; `readLater`: called when everything is read after an early return
   * @returns {Promise<Read | undefined>}
   */
  async open({ waitsForAll, readLater }) {
    if (waitsForAll) return this.#read(false);
    /** @type {Promise<Read> | undefined} */ let work;
    const hasSession = new Promise((resolve) => {
      work = this.#read(true, () => resolve(undefined));
    });
    const read = await Promise.race([work, hasSession]);
    if (read === undefined) void work?.then(readLater);
    return read;
  }

  /** @param {boolean} isQuiet @param {() => void} [hasMore] called when there are sessions and reading goes on */
  #read(isQuiet, hasMore = () => {}) {
    const onStep = (/** @type {import('../accounts/session-index.mjs').Step} */ { accounts, doneBytes, allBytes }) => {
      this.#take(accounts);
      this.reading = doneBytes < allBytes ? { done: doneBytes, all: allBytes } : null;
      if (this.#sessions.length > 0 && this.reading !== null) hasMore();
    };
    this.#work ??= this.#index.read(this.#paths, { isQuiet, onStep }).finally(() => {
      this.#work = undefined;
      this.reading = null;
    });
    return this.#work;
  }

  /** @param {Accounts} accounts */
  #take({ files, passedOver }) {
    this.#readAtMs = Date.now();
    const isSame = files.length === this.#files.length && files.every((file, at) => isSameFile(file, this.#files[at]));
    if (isSame && passedOver === this.passedOver) return;
    this.#files = files;
    this.generation += 1;
    this.passedOver = passedOver;
    this.failures = files.flatMap(({ path, error }) => (error === null ? [] : [{ path, ...error }]));
    const withSessions = files.filter(({ sessions }) => sessions.length > 0);
    const shown = withSessions.filter(({ path }) => this.#isInside(path));
    this.outside = withSessions.length - shown.length;
    this.#sessions = sessionsIn({ files: shown }).map(({ path: found, account, indexInFile }) => {
      const path = resolve(found);
      const id = createHash('sha256').update(`${path}\u0000${indexInFile}`).digest('hex').slice(0, 16);
      return { id, path, indexInFile, account };
    });
    this.#sessions.sort((a, b) => (b.account.lastMs ?? 0) - (a.account.lastMs ?? 0));
  }

  /** Newest first; during a long reading, only what is known. @returns {Promise<readonly Viewed[]>} */
  async list() {
    const isOld = Date.now() - this.#readAtMs > listAgeMs;
    const work = this.#work ?? (isOld ? this.#read(true) : undefined);
    // Ignore a failure after the race; the next request reads again.
    work?.catch(() => {});
    if (work !== undefined) await Promise.race([work, setTimeout(patienceMs, undefined, { ref: false })]);
    return this.#sessions;
  }

  /** @param {string | null} id null for the newest @returns {Viewed | undefined} */
  find(id) {
    return id === null ? this.#sessions[0] : this.#sessions.find((session) => session.id === id);
  }

  /** Fingerprint that changes with the session's files. @param {Viewed} session */
  stateOf({ id, path }) {
    // A database's last writes are in its write-ahead log.
    return `${id}-${stateOfFiles([...filesOf(path), `${path}-wal`]).state}`;
  }

  /** @param {Viewed} session @returns {Promise<string>} JSON text of a `SessionPicture` */
  picture({ path, indexInFile }) {
    const { prices, lists } = this.#pricing;
    return this.#text(path, () => loadSessionReaders().sessionPicture(path, indexInFile, prices, lists));
  }

  /** JSON text of a `MessagePage`. @param {Viewed} session @param {number} from @param {number} to */
  messages({ path, indexInFile }, from, to) {
    return this.#text(path, () => loadSessionReaders().sessionMessages(path, indexInFile, from, to));
  }

  /** @param {Viewed} session @returns {Promise<import('../../ui/picture.js').PictureMessage[]>} */
  async allMessages(session) {
    const messages = [];
    for (;;) {
      const page = JSON.parse(await this.messages(session, messages.length, messages.length + pageSize));
      messages.push(...page.messages);
      if (messages.length >= page.total || page.messages.length === 0) return messages;
    }
  }

  /** @param {Viewed} session @param {number} [thread] index in the picture's threads @returns {Promise<History>} */
  async history({ path, indexInFile, account }, thread = 0) {
    const json = await this.#text(path, () => loadSessionReaders().sessionHistory(path, indexInFile, thread));
    const isOwn = account.agent === 'message-array' && thread === 0;
    return (isOwn ? ownHistory(path) : undefined) ?? JSON.parse(json);
  }

  /** @param {Viewed} session @returns {Promise<Account>} */
  async stats({ path, indexInFile }) {
    const { prices, lists } = this.#pricing;
    this.#checkPlace(path);
    const work = new (loadSessionReaders().SessionAccounts)({ prices, lists, simulate: true, hindsight: false });
    const { files } = /** @type {Accounts} */ (JSON.parse(await work.read([path])));
    const account = files[0]?.sessions[indexInFile];
    if (account === undefined) throw new UnreadableSession(files[0]?.error?.code, files[0]?.error?.message);
    delete account.charged;
    return account;
  }

  /** @param {string} path @param {() => Promise<import('../../binding-cli.js').SessionText>} read */
  async #text(path, read) {
    this.#checkPlace(path);
    const { json, code, message } = await read();
    if (json === undefined) throw new UnreadableSession(code, message);
    return json;
  }

  /** The file may have been removed, or replaced by a link, since it was listed. @param {string} path */
  #checkPlace(path) {
    if (realPathOf(path) === undefined) throw new UnreadableSession('ERR_GONE', 'the session’s file is gone');
    if (!this.#isInside(path)) throw new UnreadableSession('ERR_OUTSIDE', 'the session lies outside the given paths');
  }

  /** @param {string} path */
  #isInside(path) {
    return filesOf(path).every((file) => {
      const realPath = realPathOf(file);
      return realPath !== undefined && this.#roots.some((root) => realPath === root || realPath.startsWith(root + sep));
    });
  }
}

/** An application's own list holds its summaries and originals. @param {string} path @returns {History | undefined} */
function ownHistory(path) {
  try {
    const { messages } = readSession(path);
    const points = [...loadInternals().walk(messages, true)].flatMap(({ kind, point }) => {
      return kind === 'point' && point !== undefined ? { ...point, request: null } : [];
    });
    // Points after a summary are older than it; reverse to oldest first.
    return { points: points.reverse(), messages };
  } catch {
    return undefined;
  }
}
