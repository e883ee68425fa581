// @ts-check
'use strict';

const { ArchiveError, unlessAborted } = require('../archive/store.js');

/** @typedef {{ query: (text: string, params?: any[]) => PromiseLike<{ rows: any[] }> }} Queryable */

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
/** Runs the store's statements through the application's pool; names the errors. */
class PostgresConnection {
  #pool;
  #name;
  #maxRetries;

  /** @param {Queryable} pool @param {string} name the store's name in errors @param {number} maxRetries */
  constructor(pool, name, maxRetries) {
    this.#pool = pool;
    this.#name = name;
    this.#maxRetries = maxRetries;
  }

  /**
   * Runs statements with retries, which are safe: none of the store's statements adds anything the second time.
   * @param {string} text @param {any[] | undefined} params undefined: `text` may be several statements
   * @param {unknown} [signal] @returns {Promise<any[]>}
   */
  async rows(text, params, signal) {
    for (let retries = 0; ; retries++) {
      try {
        const { rows } = await unlessAborted(async () => this.#pool.query(text, params), signal);
        return rows;
      } catch (error) {
        if (/** @type {any} */ (signal)?.aborted) throw error;
        if (!isTransient(error)) throw this.#named(error);
        if (retries >= this.#maxRetries) {
          throw this.failure('ARCHIVE_BUSY', 'expected a server that answers, got none after several tries', error);
        }
      }
      await unlessAborted(() => pause(retries), signal);
    }
  }

  /** @param {string} code @param {string} message @param {unknown} [cause] */
  failure(code, message, cause) {
    return new ArchiveError(code, message, { path: this.#name, ...(cause !== undefined && { cause }) });
  }

  /** @param {any} error */
  #named(error) {
    // An invalid signal is the caller's mistake.
    if (error?.code === 'ERR_INVALID_ARG_TYPE') return error;
    const [, code = '', message = ''] = CODES.find(([codes]) => codes.test(String(error?.code))) ?? [];
    return this.failure(code, message, error);
  }
}

/** @param {any} error */
function isTransient(error) {
  const { code, message } = error ?? {};
  return code === undefined ? LOST.test(String(message)) : TRANSIENT.test(String(code));
}

/** Waits with a random factor, so that servers rejected at the same time do not all retry at once. @param {number} retries */
function pause(retries) {
  const longest = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** retries);
  return new Promise((resolve) => setTimeout(resolve, longest * (0.5 + Math.random() / 2)));
}

module.exports = { PostgresConnection };
