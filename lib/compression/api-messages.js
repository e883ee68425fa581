// @ts-check
'use strict';

const { copyOf } = require('../lists.js');
const { checkLength, checkMessages, checkOptions } = require('../arguments.js');
const { wrongType } = require('../errors.js');
const { CAMEL_CASE, isCamelCase } = require('../messages/chat.js');
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
  const keep = checkOptions(options)?.keep ?? [];
  if (!Array.isArray(keep)) throw wrongType('options.keep', 'an array of field names', keep);
  checkLength('options.keep', keep);
  requestFields ??= new Set(native.requestFieldNames());
  const known = keep.length === 0 ? requestFields : new Set([...requestFields, ...keep]);
  return copyOf(messages).map((message) => stripped(message, known));
}

/**
 * @param {any} message
 * @param {Set<string>} known
 */
function stripped(message, known) {
  if (message === null || typeof message !== 'object') return message;
  try {
    const without = Object.keys(message).filter(unsentBy(message, known));
    return without.length === 0 ? message : copyWith(message, without, {});
  } catch {
    return message;
  }
}

/**
 * Tells which fields of `message` are not sent.
 * @param {any} message
 * @param {Set<string>} known
 * @returns {(field: string) => boolean}
 */
function unsentBy(message, known) {
  // Of another request format nobody here knows the fields: only our own go.
  if (typeof message.role !== 'string' || isForeign(message)) return (field) => OWN_FIELDS.includes(field);
  // A message in OpenAI's own spelling has camelCase fields only as the host's notes.
  const isNote = isCamelCase(message) ? () => false : (/** @type {string} */ field) => Object.hasOwn(CAMEL_CASE, field);
  return (field) => !known.has(field) || isNote(field);
}

/** Anthropic's messages have the same outer fields as chat's. @param {any} message */
function isForeign(message) {
  const form = formOf(message);
  return form !== null && form !== 'anthropic' && form !== 'other';
}

module.exports = { stripForApi };
