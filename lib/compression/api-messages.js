// @ts-check
'use strict';

const { copyOf, isList } = require('../lists.js');
const { checkMessages, checkOptions, optional, readTexts } = require('../arguments.js');
const { CAMEL_CASE, isCamelCase } = require('../messages/chat.js');
const { dialectOf } = require('../messages/dialect.js');
const responses = require('../messages/dialects/openai-responses.js');
const { formOf } = require('../messages/form.js');
const native = require('../native.js');
const { copyWith } = require('./copies.js');
const { OWN_FIELDS } = require('./record.js');

/** @type {Set<string> | undefined} */
let requestFields;

/**
 * @param {readonly any[]} messages
 * @param {unknown} [options]
 * @returns {any[]}
 */
function stripForApi(messages, options) {
  checkMessages(messages);
  const keep = optional(readTexts, 'options.keep', checkOptions(options)?.keep) ?? [];
  requestFields ??= new Set(native.requestFieldNames());
  const taken = copyOf(messages);
  const dialects = taken.map(dialectAmong);
  // Messages of plain text look like chat's in several dialects, and have the fields of those that they stand among.
  const among = dialects.find((dialect) => dialect?.fields)?.fields ?? [];
  const chat = new Set([...requestFields, ...keep, ...among]);
  return taken.map((message, index) => stripped(message, dialects[index] ?? null, chat, keep));
}

/** @param {any} message @returns {import('../messages/dialect.js').Dialect | null} */
function dialectAmong(message) {
  try {
    return isItem(message) ? responses : dialectOf(formOf(message), message);
  } catch {
    return null;
  }
}

/** @param {any} message */
function isItem(message) {
  if (message?.type !== 'message') return false;
  const { content } = message;
  return isList(content) && content.some((part) => part?.type === 'output_text' || part?.type === 'input_text');
}

/**
 * @param {any} message
 * @param {import('../messages/dialect.js').Dialect | null} dialect
 * @param {Set<string>} chat the fields that chat messages may have here
 * @param {readonly string[]} keep
 */
function stripped(message, dialect, chat, keep) {
  if (message === null || typeof message !== 'object') return message;
  try {
    const without = Object.keys(message).filter(unsentBy(message, dialect, chat, keep));
    return without.length === 0 ? message : copyWith(message, without, {});
  } catch {
    return message;
  }
}

/**
 * Tells which fields of `message` are not sent.
 * @param {any} message
 * @param {import('../messages/dialect.js').Dialect | null} dialect
 * @param {Set<string>} chat
 * @param {readonly string[]} keep
 * @returns {(field: string) => boolean}
 */
function unsentBy(message, dialect, chat, keep) {
  if (dialect?.fields) {
    const known = [...dialect.fields, ...keep];
    return (field) => !known.includes(field);
  }
  // Of a request format that nobody here knows, and of instances, only our own fields go.
  if (dialect !== null || typeof message.role !== 'string' || isForeign(message)) {
    return (field) => OWN_FIELDS.includes(field) && !keep.includes(field);
  }
  // A message in OpenAI's own spelling has camelCase fields only as the host's notes.
  const isNote = isCamelCase(message) ? () => false : (/** @type {string} */ field) => Object.hasOwn(CAMEL_CASE, field);
  return (field) => !chat.has(field) || isNote(field);
}

/** @param {any} message */
function isForeign(message) {
  const form = formOf(message);
  return form !== null && form !== 'other';
}

module.exports = { stripForApi };
