// @ts-check
'use strict';

/**
 * Reads the fields by which a message or a part says that its call failed; the core reads the result's text. `crates/core/src/failure/forms.rs` has
 * the same fields for sessions on disk; one file of examples tests both.
 */

/** @type {ReadonlySet<unknown>} */
const STATUSES = new Set(['error', 'failed', 'incomplete']);
/** @type {ReadonlySet<unknown>} */
const TYPES = new Set(['error-text', 'error-json', 'execution-denied', 'tool-error', 'output-error', 'output-denied']);

/** Of `is_error` and `isError`, the first one wins, because a provider sees it. @param {any} result a message or a part of one */
function isMarkedFailed(result) {
  const { messageStatus, status } = result;
  // This runs over every result before every request, and most results have neither field.
  if (messageStatus !== undefined && STATUSES.has(messageStatus)) return true;
  return (result.is_error ?? result.isError) === true || (status !== undefined && STATUSES.has(status));
}

/** True if outputs of this type are failures. @param {unknown} type */
function isFailedType(type) {
  return TYPES.has(type);
}

module.exports = { isFailedType, isMarkedFailed };
