// @ts-check
'use strict';

const { path: nodePath } = require('../node-modules.js');
const native = require('../native.js');
const { checkOptions, optional, readArray, readCount, readFlag, readInteger } = require('../arguments.js');
const { readOptions, readText } = require('../arguments.js');
const { OPTIONS } = require('../option-names.js');
const { outOfRange } = require('../errors.js');
const { deliverEvents, isLogWanted } = require('../log.js');
const { isObject } = require('../plain-data.js');
const { archiveLimits, LONE_SURROGATE, readFacts, readId, storedBatch } = require('./stored-form.js');
const { lookupTool } = require('./lookup-tool.js');
const { ArchiveError, readSearch, succeeded, unlessAborted } = require('./store.js');

/** @typedef {import('../../binding.js').Archive} NativeArchive */
/** @typedef {'write' | 'read' | 'background' | 'close'} CallKind `background`: long work that only reads */

/** The maximum of SQLite's timeout, a C int. */ const MAX_TIMEOUT_MS = 2 ** 31 - 1;
/** The kinds of earlier calls that a call waits for. No write waits for a read: the model's searches must not delay storing originals. */
/** @type {Record<CallKind, CallKind[]>} */ const WAITS_FOR = {
  write: ['write'],
  read: ['write', 'read'],
  background: ['write'],
  close: ['write', 'read', 'background'],
};

/** Keeps originals of compressed conversations, and facts (when requests were sent, which summaries apply), in a file that the first call opens. */
class SessionArchive {
  #path;
  /** @type {NativeArchive} */ #native;
  /** Settles after all calls of a kind so far; never rejects. @type {Partial<Record<CallKind, Promise<void>>>} */
  #done = {};
  /** @type {Promise<void> | undefined} */ #closed;

  /** @param {unknown} place a path, or options */
  constructor(place) {
    const { path, ...options } = readPlace(place);
    // Resolve now, because the application may change its working directory before the first call.
    this.#path = nodePath.resolve(path);
    this.#native = new native.Archive(this.#path, options);
  }

  get path() {
    return this.#path;
  }

  /** @param {string} sessionId @param {unknown} batch @param {unknown} [options] */
  async append(sessionId, batch, options) {
    const session = readId('sessionId', sessionId);
    const stored = storedBatch(batch);
    await this.#run('write', (archive) => archive.append(session, stored), options);
    return { sessionId, id: stored.id, count: stored.messages.length };
  }

  /** @param {string} sessionId @param {string} id @param {unknown} [options] */
  async get(sessionId, id, options) {
    const [session, name] = [readId('sessionId', sessionId), readId('id', id)];
    const { messages } = await this.#run('read', (archive) => archive.get(session, name), options);
    return messages.map(({ json }) => this.#fromJson(json));
  }

  /** @param {string} sessionId @param {readonly string[]} ids @param {unknown} [options] */
  async getMany(sessionId, ids, options) {
    const session = readId('sessionId', sessionId);
    const names = readArray('ids', ids).map((id) => readId('ids', id));
    const read = (/** @type {string} */ name) => this.#run('read', (archive) => archive.get(session, name), options);
    const ignoreUnknownId = (/** @type {any} */ error) => {
      if (error?.code !== 'ARCHIVE_NOT_FOUND') throw error;
    };
    const found = await Promise.all(names.map((name) => read(name).catch(ignoreUnknownId)));
    return found.flatMap((batch) => (batch === undefined ? [] : [this.#restored(batch)]));
  }

  /** @param {string} sessionId */
  async restore(sessionId) {
    const session = readId('sessionId', sessionId);
    const batches = await this.#run('read', (archive) => archive.restore(session));
    return { sessionId, batches: batches.map((batch) => this.#restored(batch)) };
  }

  /** @param {unknown} [options] */
  async sessions(options) {
    return this.#run('read', (archive) => archive.sessions(), options);
  }

  /** @param {string} query @param {unknown} [options] */
  async search(query, options) {
    const { signal, ...search } = readSearch(query, options);
    const hits = await this.#run('read', (archive) => archive.search(search), { signal });
    return hits.map(({ message: { role, json }, ...hit }) => ({ ...hit, role, message: this.#fromJson(json) }));
  }

  async stats() {
    return this.#run('read', (archive) => archive.stats());
  }

  /** @param {unknown} [options] */
  async integrity(options) {
    const problems = await this.#run('background', (archive) => archive.integrity(), options);
    return { ok: problems.length === 0, problems };
  }

  /** @param {string} sessionId @param {unknown} [options] */
  async delete(sessionId, options) {
    const session = readId('sessionId', sessionId);
    return this.#run('write', (archive) => archive.delete(session), options);
  }

  /** @param {string} id @param {number} from @param {readonly string[]} facts @param {unknown} [options] */
  async appendFacts(id, from, facts, options) {
    const [name, position, added] = [readId('id', id), readCount('from', from), readFacts(facts)];
    if (added.length === 0) return this.#run('read', (archive) => archive.facts(name, position), options);
    return this.#run('write', (archive) => archive.appendFacts(name, position, added), options);
  }

  /** @param {string} id @param {unknown} [options] */
  async facts(id, options) {
    return this.appendFacts(id, 0, [], options);
  }

  /** Closes the file after all earlier calls. @returns {Promise<void>} */
  close() {
    this.#closed ??= this.#inOrder('close', async () => {
      const failure = await this.#native.close();
      if (failure !== null) succeeded(failure, this.#path);
    });
    return this.#closed;
  }

  [Symbol.asyncDispose]() {
    return this.close();
  }

  /** @param {unknown} [options] */
  lookupTool(options) {
    return lookupTool(this, options);
  }

  /** @param {import('../../binding.js').ArchivedBatch} batch */
  #restored({ id, kind, level, at, summary, messages }) {
    const parsed = messages.map(({ json }) => this.#fromJson(json));
    const summaryField = summary !== undefined && { summary: this.#fromJson(summary) };
    return { id, kind, level, at, ...summaryField, count: parsed.length, messages: parsed };
  }

  /** Parses without the parser's own error, which would quote the text. @param {string} json */
  #fromJson(json) {
    try {
      return JSON.parse(json);
    } catch {
      throw new ArchiveError('ARCHIVE_CORRUPT', 'expected a message as JSON, got something else', { path: this.#path });
    }
  }

  /** @template T @param {CallKind} kind @param {(archive: NativeArchive) => Promise<T>} call @param {unknown} [options] */
  async #run(kind, call, options) {
    const { signal } = checkOptions(options, OPTIONS.storeCall) ?? {};
    if (this.#closed !== undefined) {
      throw new ArchiveError('ARCHIVE_CLOSED', 'expected an open archive, got a closed one', { path: this.#path });
    }
    const work = async () => {
      if (signal?.aborted) throw signal.reason;
      this.#native.collectLogEvents(isLogWanted());
      const result = await call(this.#native);
      deliverEvents(this.#native.takeLogEvents());
      return succeeded(result, this.#path);
    };
    return unlessAborted(() => this.#inOrder(kind, work), signal);
  }

  /** Each call waits for earlier writes, so batches keep their order and are visible. @template T @param {CallKind} kind @param {() => Promise<T>} work */
  #inOrder(kind, work) {
    const result = Promise.all(WAITS_FOR[kind].map((earlier) => this.#done[earlier])).then(work);
    this.#done[kind] = Promise.allSettled([this.#done[kind], result]).then(() => {});
    return result;
  }
}

/** Checks the constructor's argument. @param {unknown} place */
function readPlace(place) {
  const given = isObject(place) ? readOptions('options', place, OPTIONS.archive) : { path: place };
  const path = readText('path', given.path);
  if (path === '' || path.includes('\0') || LONE_SURROGATE.test(path)) {
    throw outOfRange('path', 'the path of a file', path === '' ? 'an empty string' : 'a string that can be none');
  }
  const { busyTimeoutMs, searchTimeoutMs } = archiveLimits();
  const [busyMs, searchMs] = [given.busyTimeoutMs ?? busyTimeoutMs, given.searchTimeoutMs ?? searchTimeoutMs];
  return {
    path,
    busyTimeoutMs: readInteger('options.busyTimeoutMs', busyMs, 0, MAX_TIMEOUT_MS),
    searchTimeoutMs: readInteger('options.searchTimeoutMs', searchMs, 1, MAX_TIMEOUT_MS),
    allowSharedFile: optional(readFlag, 'options.allowSharedFile', given.allowSharedFile) ?? false,
  };
}

module.exports = { SessionArchive };
