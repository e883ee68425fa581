// @ts-check
'use strict';

/**
 * Fields by which a message or a part says that its call failed. The core reads the result's text. `crates/core/src/failure/forms.rs` has the same
 * fields for sessions on disk; one file of examples tests both.
 */

/** @type {ReadonlySet<unknown>} */
const STATUSES = new Set(['error', 'failed', 'incomplete']);
/** @type {ReadonlySet<unknown>} */
const TYPES = new Set(['error-text', 'error-json', 'execution-denied', 'tool-error', 'output-error', 'output-denied']);

/** If both spellings are present, the one that a provider sees wins. @param {any} held an object */
function isMarkedFailed(held) {
  const { messageStatus, status } = held;
  // This runs over every result before every request, and most results have neither field.
  if (messageStatus !== undefined && STATUSES.has(messageStatus)) return true;
  return (held.is_error ?? held.isError) === true || (status !== undefined && STATUSES.has(status));
}

/** True if outputs of this type are failures. @param {unknown} type */
function isFailedType(type) {
  return TYPES.has(type);
}

module.exports = { isFailedType, isMarkedFailed };
