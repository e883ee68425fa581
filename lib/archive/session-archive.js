// @ts-check
'use strict';

const { path: nodePath } = require('../node-modules.js');
const native = require('../native.js');
const {
  checkOptions,
  optional,
  readAmount,
  readCount,
  readFlag,
  readInteger,
  readOptions,
  readText,
} = require('../arguments.js');
const { OPTIONS } = require('../option-names.js');
const { outOfRange } = require('../errors.js');
const { deliverEvents, isLogWanted } = require('../log.js');
const { ArchiveError, succeeded } = require('./archive-error.js');
const { archiveLimits } = require('./limits.js');
const { lookupTool } = require('./lookup-tool.js');
const { readCommit } = require('./state-commit.js');
const { LONE_SURROGATE, readId, storedBatch } = require('./stored-form.js');
const { Turns } = require('./turns.js');

/** @typedef {import('../../binding.js').Archive} NativeArchive */

/** SQLite counts its timeout in a C int. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;
const LARGEST_OFFSET = 2 ** 32 - 1;

/** Keeps the original messages of compressed conversations in a file; opens it with the first call. */
class SessionArchive {
  #path;
  /** @type {NativeArchive} */
  #native;
  #turns = new Turns();
  /** @type {Promise<void> | undefined} */
  #closed;

  /** @param {unknown} place a path, or options */
  constructor(place) {
    const { path, ...options } = readPlace(place);
    // Now, since the host may change its working directory before the first call.
    this.#path = nodePath.resolve(path);
    this.#native = new native.Archive(this.#path, options);
  }

  get path() {
    return this.#path;
  }

  /**
   * @param {string} sessionId
   * @param {unknown} batch
   */
  async append(sessionId, batch) {
    const session = readId('sessionId', sessionId);
    const stored = storedBatch(batch);
    await this.#run('write', (archive) => archive.append(session, stored));
    return { sessionId, id: stored.id, count: stored.messages.length };
  }

  /**
   * @param {string} sessionId
   * @param {string} id
   */
  async get(sessionId, id) {
    const { messages } = await this.#batch(sessionId, id);
    return messages.map((message) => this.#parsed(message).message);
  }

  /** @param {string} sessionId */
  async restore(sessionId) {
    const session = readId('sessionId', sessionId);
    const batches = await this.#run('read', (archive) => archive.restore(session));
    return { sessionId, batches: batches.map((batch) => this.#restored(batch)) };
  }

  async sessions() {
    return this.#run('read', (archive) => archive.sessions());
  }

  /**
   * @param {string} query
   * @param {unknown} [options]
   */
  async search(query, options) {
    const { sessionId, limit, offset } = checkOptions(options, OPTIONS.archiveSearch) ?? {};
    const hits = await this.#hits(query, { sessionId, limit, offset, context: archiveLimits().context });
    return hits.map(({ message: { role, message }, ...hit }) => ({ ...hit, role, message }));
  }

  async stats() {
    return this.#run('read', (archive) => archive.stats());
  }

  async integrity() {
    const problems = await this.#run('beside', (archive) => archive.integrity());
    return { ok: problems.length === 0, problems };
  }

  /** @param {string} sessionId */
  async delete(sessionId) {
    const session = readId('sessionId', sessionId);
    return this.#run('write', (archive) => archive.delete(session));
  }

  /**
   * @param {string} id
   * @param {unknown} [options]
   */
  async acquire(id, options) {
    const { owner, leaseMs } = checkOptions(options, OPTIONS.acquire) ?? {};
    const name = readId('id', id);
    const lease = optional(readAmount, 'options.leaseMs', leaseMs);
    if (lease === undefined) return stateOf(await this.#run('read', (archive) => archive.acquire(name, undefined, 0)));
    const holder = readId('options.owner', owner);
    return stateOf(await this.#run('write', (archive) => archive.acquire(name, holder, lease)));
  }

  /**
   * @param {string} id
   * @param {unknown} commit
   */
  async commit(id, commit) {
    const [name, read] = [readId('id', id), readCommit(commit)];
    return this.#run('write', (archive) => archive.commit(name, read));
  }

  /**
   * @param {string} id
   * @param {unknown} options
   */
  async release(id, options) {
    const name = readId('id', id);
    const fence = readCount('options.fence', checkOptions(options, OPTIONS.release)?.fence);
    await this.#run('write', (archive) => archive.release(name, fence));
  }

  /** Waits for the calls before it. @returns {Promise<void>} */
  close() {
    this.#closed ??= this.#turns.last(async () => {
      const failure = await this.#native.close();
      if (failure !== null) succeeded(failure, this.#path);
    });
    return this.#closed;
  }

  /** @param {unknown} [options] */
  lookupTool(options) {
    return lookupTool(
      {
        hits: (query, search) => this.#hits(query, search),
        batch: (sessionId, id) => this.#batch(sessionId, id),
        parsed: (message) => this.#parsed(message),
      },
      options,
    );
  }

  /**
   * @param {unknown} query
   * @param {{ sessionId?: unknown, limit?: unknown, offset?: unknown, context: number }} search
   */
  async #hits(query, { sessionId, limit, offset, context }) {
    const session = optional(readId, 'options.sessionId', sessionId);
    const { hits, mostHits } = archiveLimits();
    const search = {
      query: readText('query', query),
      ...(session !== undefined && { sessionId: session }),
      limit: readInteger('options.limit', limit ?? hits, 0, mostHits),
      offset: readInteger('options.offset', offset ?? 0, 0, LARGEST_OFFSET),
      context,
    };
    const found = await this.#run('read', (archive) => archive.search(search));
    return found.map((hit) => ({ ...hit, message: this.#parsed(hit.message) }));
  }

  /**
   * @param {unknown} sessionId
   * @param {unknown} id
   */
  async #batch(sessionId, id) {
    const session = readId('sessionId', sessionId);
    const batch = readId('id', id);
    return this.#run('read', (archive) => archive.get(session, batch));
  }

  /** @param {import('../../binding.js').ArchivedBatch} batch */
  #restored({ id, kind, level, at, summary, messages }) {
    const said = summary === undefined ? {} : { summary: this.#fromJson(summary) };
    const parsed = messages.map((message) => this.#parsed(message).message);
    return { id, kind, level, at, ...said, count: parsed.length, messages: parsed };
  }

  /** @param {import('../../binding.js').ArchivedMessage} message */
  #parsed({ role, text, json }) {
    return { role, text, message: this.#fromJson(json) };
  }

  /** What a parser says of text that is no JSON quotes it. @param {string} json */
  #fromJson(json) {
    try {
      return JSON.parse(json);
    } catch {
      throw new ArchiveError('ARCHIVE_CORRUPT', 'expected a message as JSON, got something else', { path: this.#path });
    }
  }

  /**
   * @template T
   * @param {'read' | 'write' | 'beside'} kind
   * @param {(archive: NativeArchive) => Promise<T>} work
   */
  async #run(kind, work) {
    if (this.#closed !== undefined) {
      throw new ArchiveError('ARCHIVE_CLOSED', 'expected an open archive, got a closed one', { path: this.#path });
    }
    return this.#turns[kind](async () => {
      this.#native.collectLogEvents(isLogWanted());
      const result = await work(this.#native);
      deliverEvents(this.#native.takeLogEvents());
      return succeeded(result, this.#path);
    });
  }
}

// Node.js 20 has it from 20.4 on only.
if (Symbol.asyncDispose !== undefined) {
  Object.defineProperty(SessionArchive.prototype, Symbol.asyncDispose, {
    value: SessionArchive.prototype.close,
    writable: true,
    configurable: true,
  });
}

/** @param {import('../../binding.js').AcquiredConversation | null} acquired */
function stateOf(acquired) {
  if (acquired === null) return null;
  const { snapshot, deltas, ...rest } = acquired;
  return { state: snapshot === undefined ? null : { snapshot, deltas }, ...rest };
}

/** @param {unknown} place */
function readPlace(place) {
  const isObject = typeof place === 'object' && place !== null;
  const given = isObject ? readOptions('options', place, OPTIONS.archive) : { path: place };
  const { busyTimeoutMs, searchTimeoutMs, allowSharedFile } = given;
  const path = readText('path', given.path);
  if (path === '' || path.includes('\0') || LONE_SURROGATE.test(path)) {
    throw outOfRange('path', 'the path of a file', path === '' ? 'an empty string' : 'a string that can be none');
  }
  const limits = archiveLimits();
  return {
    path,
    busyTimeoutMs: readInteger('options.busyTimeoutMs', busyTimeoutMs ?? limits.busyTimeoutMs, 0, LONGEST_TIMEOUT_MS),
    searchTimeoutMs: readInteger(
      'options.searchTimeoutMs',
      searchTimeoutMs ?? limits.searchTimeoutMs,
      1,
      LONGEST_TIMEOUT_MS,
    ),
    allowSharedFile: optional(readFlag, 'options.allowSharedFile', allowSharedFile) ?? false,
  };
}

module.exports = { SessionArchive };
