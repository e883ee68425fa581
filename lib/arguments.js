// @ts-check
'use strict';

const { outOfRange, wrongType } = require('./errors.js');

/** No conversation has so many; `new Array(2 ** 32 - 1)` has, and whoever walks it is gone for minutes. */
const LONGEST_ARRAY = 2 ** 22;

/**
 * @param {unknown} messages
 */
function checkMessages(messages) {
  if (!Array.isArray(messages)) throw wrongType('messages', 'an array', messages);
  checkLength('messages', messages);
}

/**
 * @param {string} name
 * @param {readonly unknown[]} array
 */
function checkLength(name, { length }) {
  if (length > LONGEST_ARRAY)
    throw outOfRange(name, `an array of at most ${LONGEST_ARRAY} elements`, `one of ${length}`);
}

/**
 * An array that can't take the result is refused even when this call would change nothing: the next would.
 * @param {readonly unknown[]} messages
 * @param {'replace' | 'remove'} change
 */
function checkWritable(messages, change) {
  if (Object.isExtensible(messages)) return;
  const refused = change === 'remove' ? Object.isSealed(messages) : Object.isFrozen(messages);
  if (!refused) return;
  const error = new TypeError(
    `messages: expected an array that can be changed, got a ${change === 'remove' ? 'sealed or frozen' : 'frozen'} one; pass a copy ([...messages])`,
  );
  throw Object.assign(error, { code: 'ERR_INVALID_ARG_TYPE' });
}

/**
 * @param {unknown} options
 * @returns {Record<string, unknown> | undefined}
 */
function checkOptions(options) {
  if (options === undefined || options === null) return undefined;
  if (typeof options !== 'object') throw wrongType('options', 'an object', options);
  return /** @type {Record<string, unknown>} */ (options);
}

/**
 * @param {Record<string, unknown> | undefined} options
 * @returns {number} ms since the epoch
 */
function nowFrom(options) {
  const now = options?.now;
  if (now === undefined || now === null) return Date.now();
  if (typeof now !== 'number') throw wrongType('options.now', 'a number of milliseconds', now);
  if (!Number.isFinite(now)) throw outOfRange('options.now', 'a finite number of milliseconds', String(now));
  return now;
}

module.exports = { checkLength, checkMessages, checkOptions, checkWritable, nowFrom };
