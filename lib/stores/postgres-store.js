// @ts-check
'use strict';

const {
  checkOptions,
  optional,
  readAmount,
  readArray,
  readFunction,
  readInteger,
  readOptions,
  readText,
} = require('../arguments.js');
const { archiveLimits } = require('../archive/limits.js');
const { readCommit } = require('../archive/state-commit.js');
const { readId, storedBatch } = require('../archive/stored-form.js');
const native = require('../native.js');
const { OPTIONS } = require('../option-names.js');
const { PostgresConnection } = require('./postgres-connection.js');
const { acquired, hit, keyOf, readPlain, restored, written } = require('./postgres-rows.js');
const { migrations, readSchema } = require('./postgres-schema.js');
const { statements } = require('./postgres-statements.js');

const LONGEST_TENANT = 200;
const MOST_RETRIES = 100;
const MOST_PROBLEMS = 100;
const LARGEST_OFFSET = 2 ** 32 - 1;

/** Originals and states of one tenant's conversations in PostgreSQL, by the host's own pool. */
class PostgresStore {
  #connection;
  #tenant;
  #schema;
  #retentionMs;
  #sql;

  /** @param {unknown} options */
  constructor(options) {
    const given = readOptions('options', options, OPTIONS.postgresStore);
    readFunction('options.pool.query', /** @type {any} */ (given.pool)?.query);
    const schema = optional(readText, 'options.schema', given.schema) ?? 'palimpsest';
    this.#tenant = readPlain('options.tenant', readId('options.tenant', given.tenant), LONGEST_TENANT);
    this.#schema = readSchema('options.schema', schema);
    this.#retentionMs = optional(readAmount, 'options.retentionMs', given.retentionMs) ?? null;
    const maxRetries = readInteger('options.maxRetries', given.maxRetries ?? 5, 0, MOST_RETRIES);
    this.#connection = new PostgresConnection(given.pool, `postgres:${schema}`, maxRetries);
    this.#sql = statements(this.#schema);
  }

  /** For hosts whose own role may not create tables. */
  migrations() {
    return migrations(this.#schema);
  }

  async migrate() {
    for (const { sql } of this.migrations()) await this.#connection.rows(sql, undefined);
  }

  /** @param {string} sessionId @param {unknown} batch @param {unknown} [options] */
  async append(sessionId, batch, options) {
    const signal = signalIn(options);
    const session = readId('sessionId', sessionId);
    const stored = storedBatch(batch);
    const params = [...this.#row(session), ...(await written([stored], this.#tenant))];
    // A batch that another process is appending is seen at the next try.
    for (let there = 0; there < 1; ) {
      const [row] = await this.#rows(this.#sql.append, params, signal);
      if (row.passed === 0) throw this.#conflict();
      there = row.there;
    }
    return { sessionId: session, id: stored.id, count: stored.messages.length };
  }

  /** @param {string} sessionId @param {string} id @param {unknown} [options] */
  async get(sessionId, id, options) {
    const [batch] = await this.getMany(sessionId, [id], options);
    if (batch !== undefined) return batch.messages;
    throw this.#connection.failure('ARCHIVE_NOT_FOUND', 'expected an id that the store holds, got an unknown one');
  }

  /** @param {string} sessionId @param {readonly string[]} ids @param {unknown} [options] */
  async getMany(sessionId, ids, options) {
    const signal = signalIn(options);
    const keys = readArray('ids', ids).map((id) => keyOf(readId('ids', id)));
    const rows = await this.#rows(
      this.#sql.getMany,
      [keyOf(readId('sessionId', sessionId)), JSON.stringify(keys)],
      signal,
    );
    return rows.map(restored);
  }

  /** @param {string} query @param {unknown} [options] */
  async search(query, options) {
    const { sessionId, limit, offset, context, signal } = checkOptions(options, OPTIONS.archiveSearch) ?? {};
    const { hits, mostHits, mostRanked, context: usual } = archiveLimits();
    const session = optional(readId, 'options.sessionId', sessionId);
    const most = readInteger('options.limit', limit ?? hits, 0, mostHits);
    const from = readInteger('options.offset', offset ?? 0, 0, LARGEST_OFFSET);
    const around = readInteger('options.context', context ?? usual, 0, LARGEST_OFFSET);
    const { words, ranking, grams } = native.archiveAsked(readText('query', query), this.#tenant);
    if (words.length === 0 || most === 0) return [];
    const asked = [
      session === undefined ? null : keyOf(session),
      JSON.stringify(words),
      JSON.stringify(ranking),
      Math.max(mostRanked, from + most),
      ...(grams.length > 0 ? [`{${grams.join()}}`] : []),
    ];
    const found = await this.#rows(this.#sql.find(grams.length > 0), asked, signal);
    const order = native.archiveBestFirst(
      found.map(({ counts }) => JSON.parse(counts)),
      found.map(({ bytes }) => bytes),
    );
    const places = order.slice(from, from + most).map((place) => {
      const { conversation, batch, position } = found[place];
      return [conversation, batch, position];
    });
    const rows = places.length === 0 ? [] : await this.#rows(this.#sql.read, [JSON.stringify(places)], signal);
    return rows.map((row) => hit(row, query, around));
  }

  /** @param {unknown} [options] */
  async sessions(options) {
    const rows = await this.#rows(this.#sql.sessions, [], signalIn(options));
    return rows.map(({ name, batches, messages, bytes, first_at, last_at }) => ({
      sessionId: JSON.parse(name),
      batches,
      messages,
      bytes,
      firstAt: first_at,
      lastAt: last_at,
    }));
  }

  /** Deletes the conversation's state, too. @param {string} sessionId @param {unknown} [options] */
  async delete(sessionId, options) {
    const session = readId('sessionId', sessionId);
    const [{ batches, messages }] = await this.#rows(this.#sql.delete, [keyOf(session)], signalIn(options));
    return { batches, messages };
  }

  /** Conversations expire when nobody went on with them for `retentionMs`. @param {unknown} [options] */
  async deleteExpired(options) {
    const [{ conversations }] = await this.#rows(this.#sql.deleteExpired, [], signalIn(options));
    return { conversations };
  }

  /** @param {unknown} [options] */
  async integrity(options) {
    const rows = await this.#rows(this.#sql.integrity, [MOST_PROBLEMS], signalIn(options));
    const problems = rows.map(({ key }) => `batch ${key}: it or its messages aren't as they were stored`);
    return { ok: problems.length === 0, problems };
  }

  /** @param {string} id @param {unknown} [options] */
  async acquire(id, options) {
    const given = checkOptions(options, OPTIONS.acquire) ?? {};
    const row = this.#row(readId('id', id));
    const leaseMs = optional(readAmount, 'options.leaseMs', given.leaseMs);
    if (leaseMs === undefined) return acquired(await this.#rows(this.#sql.acquire, row.slice(0, 1), given.signal));
    const owner = readPlain('options.owner', readId('options.owner', given.owner));
    for (;;) {
      const rows = await this.#rows(this.#sql.lease, [...row, owner, leaseMs], given.signal);
      const found = acquired(rows);
      // A commit that the statement waited for has a delta that the statement doesn't see.
      if (found === null || found.version === rows[0].snapshot_version + (found.state?.deltas.length ?? 0))
        return found;
    }
  }

  /** @param {string} id @param {unknown} commit */
  async commit(id, commit) {
    const { fence, version, text: given, isWhole, batches: stored } = readCommit(commit);
    const { signal } = /** @type {{ signal?: unknown }} */ (commit);
    const row = this.#row(readId('id', id));
    const text = readPlain(isWhole ? 'commit.state' : 'commit.delta', given);
    const counts = [version, fence];
    const hasBatches = stored.length > 0;
    const rows = hasBatches ? await written(stored, this.#tenant) : [null, null];
    const [made] = await this.#rows(
      this.#sql.commit({ isWhole, batches: hasBatches }),
      [...row, ...rows, ...counts, text],
      signal,
    );
    if (made !== undefined) return { version: made.version, nowMs: made.now_ms };
    const [present] = await this.#rows(this.#sql.present, [row[0], ...counts, text, isWhole], signal);
    if (present?.is_repeated) return { version: version + 1, nowMs: present.now_ms };
    if (hasBatches && present?.is_present) throw this.#conflict();
    throw this.#connection.failure(
      'STORE_STALE',
      'expected the present version and fence, got older ones: somebody else went on; nothing was written',
    );
  }

  /** @param {string} id @param {unknown} options */
  async release(id, options) {
    const { fence, signal } = readOptions('options', options, OPTIONS.release);
    const key = keyOf(readId('id', id));
    await this.#rows(this.#sql.release, [key, readInteger('options.fence', fence, 0, Number.MAX_SAFE_INTEGER)], signal);
  }

  /** @param {string} text @param {unknown[]} params behind the tenant @param {unknown} signal */
  #rows(text, params, signal) {
    return this.#connection.rows(text, [this.#tenant, ...params], signal);
  }

  /** @param {string} id @returns {unknown[]} key, name, retention */
  #row(id) {
    return [keyOf(id), JSON.stringify(id), this.#retentionMs];
  }

  #conflict() {
    const message = 'expected a new id or the messages stored under it, got other messages; nothing was written';
    return this.#connection.failure('ARCHIVE_CONFLICT', message);
  }
}

/** @param {unknown} options */
function signalIn(options) {
  return checkOptions(options, OPTIONS.storeCall)?.signal;
}

module.exports = { PostgresStore };
