// @ts-check
'use strict';

const { checkOptions, optional, readInteger, readSignal, readText } = require('../arguments.js');
const { causedBy, wrongType } = require('../errors.js');
const { OPTIONS } = require('../option-names.js');
const { archiveLimits, MAX_UINT32, readId } = require('./stored-form.js');

/** Checks that a store has the methods. @param {string} name @param {any} store @param {readonly string[]} methods */
function readStore(name, store, methods) {
  const missing = methods.find((method) => typeof store?.[method] !== 'function');
  if (missing === undefined) return store;
  throw wrongType(name, `an ArchiveStore, which has \`${missing}\``, store);
}

/** Checks the arguments of a search. @param {unknown} query @param {unknown} options */
function readSearch(query, options) {
  const { sessionId, limit, offset, context, signal } = checkOptions(options, OPTIONS.archiveSearch) ?? {};
  const limits = archiveLimits();
  const session = optional(readId, 'options.sessionId', sessionId);
  return {
    ...(session !== undefined && { sessionId: session }),
    query: readText('query', query),
    limit: readInteger('options.limit', limit ?? limits.hits, 0, limits.mostHits),
    offset: readInteger('options.offset', offset ?? 0, 0, MAX_UINT32),
    context: readInteger('options.context', context ?? limits.context, 0, MAX_UINT32),
    signal,
  };
}

/** Throws the reason of `signal` once it is aborted. @template T @param {() => Promise<T>} work @param {unknown} signal @returns {Promise<T>} */
async function unlessAborted(work, signal) {
  const given = optional(readSignal, 'options.signal', signal);
  if (given?.aborted) throw given.reason;
  const done = await orAborted(work(), given);
  if (given?.aborted) throw given.reason;
  return /** @type {T} */ (done);
}

/**
 * The result of `work`, or undefined once `signal` is aborted. The work itself continues, because another call may wait for it.
 * @param {Promise<unknown>} work never rejects @param {AbortSignal | undefined} signal
 */
async function orAborted(work, signal) {
  if (signal === undefined) return work;
  /** @type {() => void} */ let stop = () => {};
  const aborted = new Promise((resolve) => {
    stop = () => resolve(undefined);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** An archive's or a store's error. The message states what was expected and what was found, never archived content. */
class ArchiveError extends Error {
  /** @param {string} code `ARCHIVE_…` @param {string} message @param {{ path: string, cause?: unknown }} options */
  constructor(code, message, options) {
    const given = checkOptions(options, OPTIONS.archiveError) ?? {};
    const path = readText('options.path', given.path);
    super(`archive ${path}: ${readText('message', message)}`, causedBy(given.cause));
    this.name = 'ArchiveError';
    this.code = readText('code', code);
    this.path = path;
  }
}

/** Throws if the addon reports a failure. @template T @param {T} result @param {string} path @returns {Exclude<T, import('../../binding.js').ArchiveFailure>} */
function succeeded(result, path) {
  const { failure, message, cause } = /** @type {any} */ (result) ?? {};
  if (failure === undefined) return /** @type {any} */ (result);
  throw new ArchiveError(failure, message, { path, ...(cause !== undefined && { cause: new Error(cause) }) });
}

module.exports = { ArchiveError, orAborted, readSearch, readStore, succeeded, unlessAborted };
