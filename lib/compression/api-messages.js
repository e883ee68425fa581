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
const { READ_AGAIN } = require('../messages/previous-messages.js');
const { hasValues, valuesOf } = require('../messages/stamp.js');
const native = require('../native.js');
const { once } = require('../once.js');
const { beforeOf, compressionOf, isMade, recordIdsIn } = require('./record.js');

const requestFields = once(() => native.requestFieldNames());

/**
 * @typedef {ReturnType<typeof formFor>} Known
 * @typedef {import('../messages/dialect.js').Dialect} Dialect
 *
 * @typedef {object} Entry a message, and what is sent of it
 * @property {any} message
 * @property {Known} known
 * @property {any} sent `message` itself, or a copy without fields
 * @property {boolean} isOurs a compression may have made it
 * @property {readonly unknown[] | null} values those of `message`; null if it must be read again
 * @property {readonly unknown[] | null} sentValues those of a copy, to which the caller may write
 */

/** @param {readonly any[]} messages @param {unknown} [options] @returns {any[]} */
function stripForApi(messages, options) {
  checkMessages(messages);
  const given = checkOptions(options, OPTIONS.stripForApi);
  const keep = optional(readTexts, 'options.keep', given?.keep) ?? [];
  return new ApiMessages(forcedFrom(given), { keep, isUsedAgain: false }).strip(messages);
}

/** Strips the messages of one conversation for each request. A message is read again if one of its values changed. */
class ApiMessages {
  #forced;
  #keep;
  #isUsedAgain;
  /** @type {Entry[]} */ #entries = [];
  /** The first dialect of the messages that has its own list of fields. @type {Dialect | undefined} */ #surrounding;
  /** Fields of chat messages. @type {ReadonlySet<string>} */ #chat = new Set();

  /** @param {import('../messages/choice.js').Forced} forced @param {{ keep?: readonly string[], isUsedAgain?: boolean }} [options] */
  constructor(forced, { keep = [], isUsedAgain = true } = {}) {
    this.#forced = forced;
    this.#keep = keep;
    this.#isUsedAgain = isUsedAgain;
  }

  /** @param {readonly any[]} messages @returns {any[]} */
  strip(messages) {
    const sent = copyOfList(messages);
    const read = this.#readChanged(sent);
    for (const index of this.#chooseFields() ? sent.keys() : read) {
      const entry = /** @type {Entry} */ (this.#entries[index]);
      this.#stripOne(entry);
      if (entry.sent !== sent[index]) sent[index] = entry.sent;
    }
    return this.#merged(sent);
  }

  /** @param {any[]} sent the messages; those that are unchanged are stripped @returns {number[]} indices of those that were read */
  #readChanged(sent) {
    const entries = this.#entries;
    entries.length = Math.min(entries.length, sent.length);
    const trusted = entries.length - READ_AGAIN;
    /** @type {number[]} */ const read = [];
    for (let index = 0; index < sent.length; index++) {
      const message = sent[index];
      const before = entries[index];
      const isSame = before !== undefined && isUnchanged(before, message);
      const known = isSame && index < trusted ? before.known : knownAs(message, this.#forced);
      if (isSame && known.form === before.known.form && known.dialect === before.known.dialect) {
        if (before.sent !== message) sent[index] = before.sent;
        continue;
      }
      const isOurs = Boolean(compressionOf(message) ?? beforeOf(message));
      entries[index] = { message, known, sent: message, isOurs, values: null, sentValues: null };
      read.push(index);
    }
    return read;
  }

  /** Text messages look alike in several dialects, so they keep the fields of the surrounding messages' dialect. @returns {boolean} true if these fields changed */
  #chooseFields() {
    const first = this.#entries.find(({ known }) => known.dialect?.fields);
    const surrounding = first?.known.dialect ?? named(this.#forced);
    if (this.#chat.size > 0 && surrounding === this.#surrounding) return false;
    this.#surrounding = surrounding;
    this.#chat = new Set([...requestFields(), ...this.#keep, ...(surrounding?.fields ?? [])]);
    return true;
  }

  /** @param {Entry} entry */
  #stripOne(entry) {
    const { message, known } = entry;
    entry.sent = stripped(message, known, this.#chat, this.#keep);
    // Own fields that another object has could change unseen.
    if (!this.#isUsedAgain || ownFieldsOf(message) !== message) return;
    entry.values = valuesOf(message);
    if (entry.sent !== message) entry.sentValues = valuesOf(entry.sent);
  }

  /** @param {any[]} sent */
  #merged(sent) {
    const entries = this.#entries.filter(({ isOurs }) => isOurs);
    if (entries.length === 0) return sent;
    const merge = this.#entries.find(({ known }) => known.dialect?.merged)?.known.dialect?.merged;
    if (merge === undefined) return sent;
    const ids = recordIdsIn(entries.map(({ message }) => message));
    const made = new Set(entries.filter(({ message }) => isMade(message, ids)).map((entry) => entry.sent));
    return made.size === 0 ? sent : merge(sent, (message) => made.has(message));
  }
}

/** @param {Entry} entry @param {any} message */
function isUnchanged({ message: before, sent, values, sentValues }, message) {
  if (message !== before || values === null || !hasValues(message, values)) return false;
  return sent === before || (sentValues !== null && hasValues(sent, sentValues));
}

/** @param {import('../messages/choice.js').Forced} forced the name of a dialect @returns {Dialect | undefined} */
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

/** @param {any} message @param {Known} known @param {ReadonlySet<string>} chat fields of chat messages here @param {readonly string[]} keep */
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

/** @param {any} message @param {Known} known @param {ReadonlySet<string>} chat @param {readonly string[]} keep @returns {(field: string) => boolean} */
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

module.exports = { ApiMessages, stripForApi };
