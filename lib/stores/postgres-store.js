// @ts-check
'use strict';

const { checkOptions, optional, readAmount, readArray, readCount } = require('../arguments.js');
const { readFunction, readInteger, readOptions, readText } = require('../arguments.js');
const { archiveLimits, readFacts, readId, readPlain, storedBatch } = require('../archive/stored-form.js');
const { ArchiveError, readSearch, unlessAborted } = require('../archive/store.js');
const native = require('../native.js');
const { OPTIONS } = require('../option-names.js');
const { batchIn, batchParams, hitIn, keyOf, migrations, readSchema, statements } = require('./postgres-sql.js');

const MAX_TENANT_UNITS = 200;
const MAX_RETRIES = 100;
/** Maximum number of batches that `integrity` lists. */ const MAX_PROBLEMS = 100;

/** Errors after which the same statement may succeed when retried. The last codes occur when two servers create the same tables at once. */
const TRANSIENT =
  /^(08...|40001|40P01|57P0.|53300|23505|42710|42P07|XX000|ECONNRESET|ECONNREFUSED|ENOENT|EPIPE|ETIMEDOUT)$/;
/** `pg` has no code for a connection that was lost during a statement, or never responded. */
const LOST =
  /^(Connection terminated|Query read timeout|timeout exceeded when trying to connect|Client has encountered a connection error)/;
const FIRST_PAUSE_MS = 20;
const MAX_PAUSE_MS = 1_000;

/** Our error for the server's codes; the first match counts. @type {readonly [serverCodes: RegExp, code: string, message: string][]} */
const CODES = [
  [/^(42P01|3F000|42883|42703)$/, 'ARCHIVE_SCHEMA', 'expected the tables of this version, got others: call migrate()'],
  [/^(42501|25006)$/, 'ARCHIVE_READ_ONLY', "expected a role that may write the store's tables, got one that may not"],
  [/^(53100|53200|54...)$/, 'ARCHIVE_FULL', 'expected room for what is stored, got a full server; nothing was written'],
  [/^57014$/, 'ARCHIVE_TIMEOUT', "expected a statement that ends within the server's limit, got one that doesn't"],
  [/^/, 'ARCHIVE_IO', 'expected a database that answers, got an error from it'],
];

/** Stores originals and facts of one tenant's conversations in PostgreSQL, through the application's own pool. */
class PostgresStore {
  /** @type {{ query: (text: string, params?: any[]) => PromiseLike<{ rows: any[] }> }} */ #pool;
  /** The store's name in errors. */ #name;
  #maxRetries;
  #tenant;
  #schema;
  #retentionMs;
  #sql;

  /** @param {unknown} options */
  constructor(options) {
    const checked = readOptions('options', options, OPTIONS.postgresStore);
    readFunction('options.pool.query', /** @type {any} */ (checked.pool)?.query);
    const schema = optional(readText, 'options.schema', checked.schema) ?? 'palimpsest';
    this.#tenant = readPlain('options.tenant', readId('options.tenant', checked.tenant), MAX_TENANT_UNITS);
    this.#schema = readSchema('options.schema', schema);
    this.#retentionMs = optional(readAmount, 'options.retentionMs', checked.retentionMs) ?? null;
    this.#maxRetries = readInteger('options.maxRetries', checked.maxRetries ?? 5, 0, MAX_RETRIES);
    this.#pool = checked.pool;
    this.#name = `postgres:${schema}`;
    this.#sql = statements(this.#schema);
  }

  /** The SQL that creates the tables, for applications whose own role may not create tables. */
  migrations() {
    return migrations(this.#schema);
  }

  /** Creates the tables, or those that are missing. */
  async migrate() {
    for (const { sql } of this.migrations()) await this.#query(sql, undefined);
  }

  /** @param {string} sessionId @param {unknown} batch @param {unknown} [options] */
  async append(sessionId, batch, options) {
    const signal = signalIn(options);
    const session = readId('sessionId', sessionId);
    const stored = storedBatch(batch);
    const params = [...this.#row(session), ...(await batchParams(stored, this.#tenant))];
    // A batch that another process is appending becomes visible at the next attempt.
    for (let storedCount = 0; storedCount < 1; ) {
      const [{ passed, there }] = await this.#rows(this.#sql.append, params, signal);
      const message = 'expected a new id or the messages stored under it, got other messages; nothing was written';
      if (passed === 0) throw this.#failure('ARCHIVE_CONFLICT', message);
      storedCount = there;
    }
    return { sessionId: session, id: stored.id, count: stored.messages.length };
  }

  /** @param {string} sessionId @param {string} id @param {unknown} [options] */
  async get(sessionId, id, options) {
    const [batch] = await this.getMany(sessionId, [id], options);
    if (batch !== undefined) return batch.messages;
    throw this.#failure('ARCHIVE_NOT_FOUND', 'expected an id that the store holds, got an unknown one');
  }

  /** @param {string} sessionId @param {readonly string[]} ids @param {unknown} [options] */
  async getMany(sessionId, ids, options) {
    const signal = signalIn(options);
    const keys = readArray('ids', ids).map((id) => keyOf(readId('ids', id)));
    const params = [keyOf(readId('sessionId', sessionId)), JSON.stringify(keys)];
    return (await this.#rows(this.#sql.getMany, params, signal)).map(batchIn);
  }

  /** @param {string} query @param {unknown} [options] */
  async search(query, options) {
    const { sessionId, limit, offset, context, signal } = readSearch(query, options);
    const { words, ranking, grams } = native.archiveAsked(query, this.#tenant);
    if (words.length === 0 || limit === 0) return [];
    const params = [
      sessionId === undefined ? null : keyOf(sessionId),
      JSON.stringify(words),
      JSON.stringify(ranking),
      Math.max(archiveLimits().mostRanked, offset + limit),
      ...(grams.length > 0 ? [`{${grams.join()}}`] : []),
    ];
    const found = await this.#rows(this.#sql.find(grams.length > 0), params, signal);
    const [counts, bytes] = [found.map((row) => JSON.parse(row.counts)), found.map((row) => row.bytes)];
    const bestFirst = native.archiveBestFirst(counts, bytes);
    const page = bestFirst.slice(offset, offset + limit).map((index) => found[index]);
    if (page.length === 0) return [];
    const positions = page.map(({ conversation, batch, position }) => [conversation, batch, position]);
    const rows = await this.#rows(this.#sql.read, [JSON.stringify(positions)], signal);
    return rows.map((row) => hitIn(row, query, context));
  }

  /** @param {unknown} [options] */
  async sessions(options) {
    const rows = await this.#rows(this.#sql.sessions, [], signalIn(options));
    return rows.map(({ name, ...figures }) => ({ sessionId: JSON.parse(name), ...figures }));
  }

  /** Also deletes the conversation's facts. @param {string} sessionId @param {unknown} [options] */
  async delete(sessionId, options) {
    const session = readId('sessionId', sessionId);
    const [{ batches, messages }] = await this.#rows(this.#sql.delete, [keyOf(session)], signalIn(options));
    return { batches, messages };
  }

  /** Deletes conversations that nobody wrote to for `retentionMs`. @param {unknown} [options] */
  async deleteExpired(options) {
    const [{ conversations }] = await this.#rows(this.#sql.deleteExpired, [], signalIn(options));
    return { conversations };
  }

  /** @param {unknown} [options] */
  async integrity(options) {
    const rows = await this.#rows(this.#sql.integrity, [MAX_PROBLEMS], signalIn(options));
    const problems = rows.map(({ key }) => `batch ${key}: it or its messages aren't as they were stored`);
    return { ok: problems.length === 0, problems };
  }

  /** @param {string} id @param {number} from @param {readonly string[]} facts @param {unknown} [options] */
  async appendFacts(id, from, facts, options) {
    const signal = signalIn(options);
    const row = this.#row(readId('id', id));
    const [position, added] = [readCount('from', from), readFacts(facts)];
    const read = () => this.#rows(this.#sql.facts, [row[0], position], signal);
    if (added.length === 0) return read();
    const stored = await this.#rows(this.#sql.appendFacts, [...row, JSON.stringify(added), position], signal);
    // The statement doesn't see facts written by a process for which it waited.
    return stored.length > 0 ? stored : read();
  }

  /** @param {string} id @param {unknown} [options] */
  async facts(id, options) {
    return this.appendFacts(id, 0, [], options);
  }

  /** @param {string} text @param {unknown[]} params after the tenant @param {unknown} signal */
  #rows(text, params, signal) {
    return this.#query(text, [this.#tenant, ...params], signal);
  }

  /**
   * Runs statements with retries, which are safe: none adds anything the second time. @param {string} text
   * @param {any[] | undefined} params undefined: `text` may be several statements @param {unknown} [signal] @returns {Promise<any[]>}
   */
  async #query(text, params, signal) {
    for (let retries = 0; ; retries++) {
      try {
        const { rows } = await unlessAborted(async () => this.#pool.query(text, params), signal);
        return rows;
      } catch (/** @type {any} */ error) {
        // An invalid signal is the caller's mistake.
        const isCallers = /** @type {any} */ (signal)?.aborted || error?.code === 'ERR_INVALID_ARG_TYPE';
        if (isCallers) throw error;
        const serverCode = String(error?.code);
        const isTransient = error?.code === undefined ? LOST.test(String(error?.message)) : TRANSIENT.test(serverCode);
        const [, code = '', message = ''] = CODES.find(([codes]) => codes.test(serverCode)) ?? [];
        if (!isTransient) throw this.#failure(code, message, error);
        if (retries >= this.#maxRetries) {
          throw this.#failure('ARCHIVE_BUSY', 'expected a server that answers, got none after several tries', error);
        }
      }
      await unlessAborted(() => pause(retries), signal);
    }
  }

  /** @param {string} code @param {string} message @param {unknown} [cause] */
  #failure(code, message, cause) {
    return new ArchiveError(code, message, { path: this.#name, ...(cause !== undefined && { cause }) });
  }

  /** @param {string} id @returns {unknown[]} key, name, retention */
  #row(id) {
    return [keyOf(id), JSON.stringify(id), this.#retentionMs];
  }
}

/** Waits with a random factor, so that servers rejected at the same time do not all retry at once. @param {number} retries */
function pause(retries) {
  const longestMs = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** retries);
  return new Promise((resolve) => setTimeout(resolve, longestMs * (0.5 + Math.random() / 2)));
}

/** @param {unknown} options */ const signalIn = (options) => checkOptions(options, OPTIONS.storeCall)?.signal;

module.exports = { PostgresStore };
