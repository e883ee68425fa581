// @ts-check
'use strict';

const { outOfRange, quoted, wrongType } = require('../errors.js');
const { dialectOf, DIALECTS } = require('./dialect.js');
const chat = require('./dialects/openai-chat.js');
const { formOf } = require('./form.js');

/**
 * Chooses the dialect in which a message is read: the application's option `dialect`, or the one detected from the message.
 * @typedef {string | undefined} Forced the option `dialect`; undefined: detected for each message
 * @typedef {import('./dialect.js').Dialect} Dialect
 * @typedef {{ form: import('./form.js').Form | null, dialect: Dialect | null }} Choice
 */

const CHAT = 'openai-chat';
const NAMES = [CHAT, ...Object.keys(DIALECTS)];
/** @type {Choice} */ const READ_AS_CHAT = Object.freeze({ form: null, dialect: null });
/** @type {Choice} */ const CHAT_WITH_PARTS = Object.freeze({ form: null, dialect: chat });

/** Reads the option `dialect`. @param {Record<string, unknown> | undefined} options @returns {Forced} */
function forcedFrom(options) {
  const dialect = options?.dialect;
  if (dialect === undefined || dialect === null) return undefined;
  if (typeof dialect !== 'string') throw wrongType('options.dialect', 'a string', dialect);
  if (!NAMES.includes(dialect)) throw outOfRange('options.dialect', `one of ${NAMES.join(', ')}`, quoted(dialect));
  return dialect;
}

/** The form of a message, null for chat, and the dialect that can read it, if any but chat. @param {any} message @param {Forced} forced */
function formFor(message, forced) {
  const detected = formOf(message);
  if (detected === null && (forced === undefined || forced === CHAT)) return READ_AS_CHAT;
  if (forced === undefined) return { form: detected, dialect: dialectOf(detected, message) };
  const isObject = message !== null && typeof message === 'object';
  if (forced === CHAT) return { form: isObject ? null : detected, dialect: null };
  const form = /** @type {import('./form.js').Form} */ (forced);
  const dialect = isObject ? dialectOf(form, message) : null;
  return dialect === null ? { form: detected, dialect } : { form, dialect };
}

/**
 * Like {@link formFor}, but the chat dialect also reads a chat result whose content is a list of parts, because rules need a text.
 * @param {any} message @param {Forced} forced @returns {Choice}
 */
function rowFormFor(message, forced) {
  const choice = formFor(message, forced);
  if (choice.form !== null) return choice;
  try {
    return message !== null && typeof message === 'object' && chat.canRead(message) ? CHAT_WITH_PARTS : choice;
  } catch {
    return choice;
  }
}

/** The dialect of a message; null for chat or if none can read it. @param {any} message @param {Forced} [forced] */
const dialectFor = (message, forced) => formFor(message, forced).dialect;
/** The dialect of a message; chat if no other can read it. @param {any} message @param {Forced} [forced] */
const dialectOrChat = (message, forced) => dialectFor(message, forced) ?? chat;

module.exports = { dialectFor, forcedFrom, formFor, rowFormFor, dialectOrChat };
