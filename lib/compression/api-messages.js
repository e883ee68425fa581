// @ts-check
'use strict';

const { copyOfList, isList } = require('../lists.js');
const { checkMessages, checkOptions, optional, readTexts } = require('../arguments.js');
const { OPTIONS } = require('../option-names.js');
const { CAMEL_CASE, isCamelCase } = require('../messages/chat.js');
const { forcedFrom, formFor } = require('../messages/choice.js');
const { DIALECTS } = require('../messages/dialect.js');
const responses = require('../messages/dialects/openai-responses.js');
const { OWN_FIELDS } = require('../messages/own-field-names.js');
const { copyWith, ownFieldsOf } = require('../messages/own-fields.js');
const native = require('../native.js');
const { once } = require('../once.js');
const { isMade, recordIdsIn } = require('./record.js');

const requestFields = once(() => native.requestFieldNames());

/** @param {readonly any[]} messages @param {unknown} [options] @returns {any[]} */
function stripForApi(messages, options) {
  checkMessages(messages);
  const given = checkOptions(options, OPTIONS.stripForApi);
  const keep = optional(readTexts, 'options.keep', given?.keep) ?? [];
  const forced = forcedFrom(given);
  const taken = copyOfList(messages);
  const known = taken.map((message) => knownAs(message, forced));
  // Text messages look alike in several dialects, so they keep the fields of the surrounding messages' dialect.
  const found = known.find((held) => held?.dialect?.fields)?.dialect ?? named(forced);
  const among = found?.fields ?? [];
  const chat = new Set([...requestFields(), ...keep, ...among]);
  const sent = taken.map((message, index) => stripped(message, /** @type {Known} */ (known[index]), chat, keep));
  const ids = recordIdsIn(taken);
  const made = new Set(sent.filter((_, index) => isMade(taken[index], ids)));
  if (made.size === 0) return sent;
  const merged = known.find((held) => held?.dialect?.merged)?.dialect?.merged;
  return merged === undefined ? sent : merged(sent, (message) => made.has(message));
}

/** @typedef {ReturnType<typeof formFor>} Known */

/** @param {import('../messages/choice.js').Forced} forced the name of a dialect @returns {import('../messages/dialect.js').Dialect | undefined} */
function named(forced) {
  return forced === undefined ? undefined : /** @type {Record<string, any>} */ (DIALECTS)[forced];
}

/** @param {any} message @param {import('../messages/choice.js').Forced} forced @returns {Known} */
function knownAs(message, forced) {
  try {
    const isAgents = forced === undefined || forced.startsWith('openai-');
    return isAgents && isItem(message) ? { form: null, dialect: responses } : formFor(message, forced);
  } catch {
    return { form: null, dialect: null };
  }
}

/** @param {any} message */
function isItem(message) {
  if (message?.type !== 'message') return false;
  const { content } = message;
  return isList(content) && content.some((part) => part?.type === 'output_text' || part?.type === 'input_text');
}

/** @param {any} message @param {Known} known @param {Set<string>} chat fields of chat messages here @param {readonly string[]} keep */
function stripped(message, known, chat, keep) {
  if (message === null || typeof message !== 'object') return message;
  try {
    const held = known.dialect?.fields ? message : ownFieldsOf(message);
    const without = Object.keys(held).filter(unsentBy(message, known, chat, keep));
    return without.length === 0 ? message : copyWith(message, without, {});
  } catch {
    return message;
  }
}

/** @param {any} message @param {Known} known @param {Set<string>} chat @param {readonly string[]} keep @returns {(field: string) => boolean} */
function unsentBy(message, { form, dialect }, chat, keep) {
  if (dialect?.fields) {
    const fields = [...dialect.fields, ...keep];
    return (field) => !fields.includes(field);
  }
  // For unknown request formats, and for class instances, only our own fields are removed.
  if (dialect !== null || typeof message.role !== 'string' || (form !== null && form !== 'other')) {
    return (field) => OWN_FIELDS.includes(field) && !keep.includes(field);
  }
  // On a message in OpenAI's own spelling, camelCase fields are the application's notes.
  const isNote = isCamelCase(message) ? () => false : (/** @type {string} */ field) => Object.hasOwn(CAMEL_CASE, field);
  return (field) => !chat.has(field) || isNote(field);
}

module.exports = { stripForApi };
