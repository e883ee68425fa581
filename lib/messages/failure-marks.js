// @ts-check
'use strict';

/**
 * The marks by which a message, or a part of one, says itself that the call failed whose result it holds. What a result's
 * text says is the core's to read; `crates/core/src/failure/forms.rs` has the same marks for what lies on disk, and one file
 * of examples holds both to them.
 */

/** @type {ReadonlySet<unknown>} */
const STATUSES = new Set(['error', 'failed', 'incomplete']);
/** @type {ReadonlySet<unknown>} */
const TYPES = new Set(['error-text', 'error-json', 'execution-denied', 'tool-error', 'output-error', 'output-denied']);

/** Where both spellings stand, the one holds that a provider would see. @param {any} held an object */
function isMarkedFailed(held) {
  const { messageStatus, status } = held;
  // This runs over every result before every request, and most have neither.
  if (messageStatus !== undefined && STATUSES.has(messageStatus)) return true;
  return (held.is_error ?? held.isError) === true || (status !== undefined && STATUSES.has(status));
}

/** Whether an output of that type is a failure's. @param {unknown} type */
function isFailedType(type) {
  return TYPES.has(type);
}

module.exports = { isFailedType, isMarkedFailed };
