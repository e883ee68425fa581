// @ts-check
'use strict';

const { isRevoked, outOfRange, quoted, wrongType } = require('./errors.js');
const { LONGEST_LIST } = require('./lists.js');

/**
 * @param {unknown} messages
 */
function checkMessages(messages) {
  if (isRevoked(/** @type {any} */ (messages)) || !Array.isArray(messages)) {
    throw wrongType('messages', 'an array', messages);
  }
  checkLength('messages', messages);
}

/**
 * @param {string} name
 * @param {readonly unknown[]} array
 * @param {number} [most]
 */
function checkLength(name, { length }, most = LONGEST_LIST) {
  if (length > most) throw outOfRange(name, `an array of at most ${most} elements`, `one of ${length}`);
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
  if (typeof options !== 'object' || isRevoked(options)) throw wrongType('options', 'an object', options);
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

/**
 * @param {string} name
 * @param {unknown} language
 * @returns {'zh' | 'en' | undefined} undefined where none is given
 */
function readLanguage(name, language) {
  if (language === undefined || language === null) return undefined;
  if (typeof language !== 'string') throw wrongType(name, 'a string', language);
  if (language !== 'zh' && language !== 'en') throw outOfRange(name, "'zh' or 'en'", quoted(language));
  return language;
}

module.exports = { checkLength, checkMessages, checkOptions, checkWritable, nowFrom, readLanguage };
