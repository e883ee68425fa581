// @ts-check
'use strict';

const { checkLength, checkMessages, checkOptions } = require('../arguments.js');
const { wrongType } = require('../errors.js');
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
  return messages.map((message) => stripped(message, known));
}

/**
 * @param {any} message
 * @param {Set<string>} known
 */
function stripped(message, known) {
  if (message === null || typeof message !== 'object') return message;
  try {
    // An item without a role is of another request format (OpenAI's responses), of which only our own fields go.
    const isUnknown =
      typeof message.role === 'string'
        ? (/** @type {string} */ field) => !known.has(field)
        : (/** @type {string} */ field) => OWN_FIELDS.includes(field);
    const without = Object.keys(message).filter(isUnknown);
    return without.length === 0 ? message : copyWith(message, without, {});
  } catch {
    return message;
  }
}

module.exports = { stripForApi };
