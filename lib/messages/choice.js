// @ts-check
'use strict';

const { outOfRange, quoted, wrongType } = require('../errors.js');
const { dialectOf, DIALECTS } = require('./dialect.js');
const chat = require('./dialects/openai-chat.js');
const { formOf } = require('./form.js');

/**
 * The dialect in which messages are read: detected for each message, or the application's option.
 * @typedef {string | undefined} Forced `undefined`: detected for each message
 * @typedef {import('./dialect.js').Dialect} Dialect
 */

const CHAT = 'openai-chat';
const NAMES = [CHAT, ...Object.keys(DIALECTS)];
const AS_CHAT = Object.freeze({ form: null, dialect: null });
const AS_PARTS = Object.freeze({ form: null, dialect: chat });

/**
 * The option `dialect`.
 * @param {Record<string, unknown> | undefined} options
 * @returns {Forced}
 * @throws TypeError, RangeError for an unknown dialect
 */
function forcedFrom(options) {
  const dialect = options?.dialect;
  if (dialect === undefined || dialect === null) return undefined;
  if (typeof dialect !== 'string') throw wrongType('options.dialect', 'a string', dialect);
  if (!NAMES.includes(dialect)) throw outOfRange('options.dialect', `one of ${NAMES.join(', ')}`, quoted(dialect));
  return dialect;
}

/**
 * The detected form of a message that isn't chat's, and the dialect in which it is read; null if it is read as chat or not at all.
 * @param {any} message
 * @param {Forced} forced
 * @returns {{ form: import('./form.js').Form | null, dialect: Dialect | null }}
 */
function formFor(message, forced) {
  const looks = formOf(message);
  if (looks === null && (forced === undefined || forced === CHAT)) return AS_CHAT;
  if (forced === undefined) return { form: looks, dialect: dialectOf(looks, message) };
  const isObject = message !== null && typeof message === 'object';
  if (forced === CHAT) return { form: isObject ? null : looks, dialect: null };
  const form = /** @type {import('./form.js').Form} */ (forced);
  const dialect = isObject ? dialectOf(form, message) : null;
  return dialect === null ? { form: looks, dialect } : { form, dialect };
}

/**
 * Like {@link formFor} for rows, which also reads chat results with a list of parts as parts.
 * @param {any} message
 * @param {Forced} forced
 * @returns {{ form: import('./form.js').Form | null, dialect: Dialect | null }}
 */
function rowFormFor(message, forced) {
  const known = formFor(message, forced);
  if (known.form !== null) return known;
  try {
    return message !== null && typeof message === 'object' && chat.reads(message) ? AS_PARTS : known;
  } catch {
    return known;
  }
}

/** @param {any} message @param {Forced} [forced] */
function dialectFor(message, forced) {
  return formFor(message, forced).dialect;
}

/** The dialect of a message; chat if no other can read it. @param {any} message @param {Forced} [forced] */
function dialectOrChat(message, forced) {
  return dialectFor(message, forced) ?? chat;
}

module.exports = { dialectFor, forcedFrom, formFor, rowFormFor, dialectOrChat };
