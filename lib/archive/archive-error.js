// @ts-check
'use strict';

const { checkOptions, readText } = require('../arguments.js');
const { OPTIONS } = require('../option-names.js');

/** An archive's or a store's error. The message states what was expected and what was found, never archived content. */
class ArchiveError extends Error {
  /** @param {string} code `ARCHIVE_…` @param {string} message @param {{ path: string, cause?: unknown }} options */
  constructor(code, message, options) {
    const { path, cause } = /** @type {{ path?: unknown, cause?: unknown }} */ (
      checkOptions(options, OPTIONS.archiveError) ?? {}
    );
    super(
      `archive ${readText('options.path', path)}: ${readText('message', message)}`,
      cause === undefined ? undefined : { cause },
    );
    this.name = 'ArchiveError';
    this.code = readText('code', code);
    this.path = /** @type {string} */ (path);
  }
}

/**
 * Throws if the addon reports a failure.
 * @template T @param {T} result @param {string} path @returns {Exclude<T, import('../../binding.js').ArchiveFailure>}
 */
function succeeded(result, path) {
  if (typeof result === 'object' && result !== null && 'failure' in result) {
    const { failure, message, cause } = /** @type {any} */ (result);
    throw new ArchiveError(failure, message, { path, ...(cause !== undefined && { cause: new Error(cause) }) });
  }
  return /** @type {any} */ (result);
}

module.exports = { ArchiveError, succeeded };
