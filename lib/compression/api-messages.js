// @ts-check
'use strict';

/** Removes the fields from messages that a provider would reject: the application's own, and those of this package. */

const { copyOfList, isList } = require('../lists.js');
const { checkMessages, checkOptions, optional, readTexts } = require('../arguments.js');
const { OPTIONS } = require('../option-names.js');
const { CAMEL_CASE, isCamelCase } = require('../messages/chat.js');
const { DIALECTS, forcedFrom, formFor } = require('../messages/choice.js');
const responses = require('../messages/dialects/openai-responses.js');
const { OWN_FIELDS } = require('../messages/copy.js');
const { copyWith, ownFieldsOf } = require('../messages/message-fields.js');
const { READ_AGAIN } = require('../messages/previous-messages.js');
const { hasValues, valuesOf } = require('../messages/stamp.js');
const native = require('../native.js');
const { isObject, safely } = require('../plain-data.js');
const { once } = require('../once.js');
const { beforeCompressionOf, compressionOf, isFromCompression, recordIdsIn } = require('./record.js');

const requestFields = once(() => native.requestFieldNames());

/**
 * @typedef {ReturnType<typeof formFor>} MessageForm a message's dialect and its form in it
 * @typedef {import('../messages/choice.js').Dialect} Dialect
 * @typedef {import('../messages/choice.js').Forced} Forced
 * A message, and what is sent of it: `message` itself, or a copy without fields. `isOurs`: a compression may have made it;
 * `values`: those of `message`, null if it must be read again; `sentValues`: of a copy, to which the caller may write.
 * @typedef {{ message: any, messageForm: MessageForm, sent: any, isOurs: boolean, values: readonly unknown[] | null, sentValues: readonly unknown[] | null }} Entry
 */

/** Copies for one request. @param {readonly any[]} messages @param {unknown} [options] @returns {any[]} */
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
  /** The first dialect with its own list of fields. @type {Dialect | undefined} */ #surroundingDialect;
  /** The fields that chat messages keep. @type {ReadonlySet<string>} */ #chatFields = new Set();

  /** @param {Forced} forced @param {{ keep?: readonly string[], isUsedAgain?: boolean }} [options] `isUsedAgain`: for later requests too */
  constructor(forced, { keep = [], isUsedAgain = true } = {}) {
    this.#forced = forced;
    this.#keep = keep;
    this.#isUsedAgain = isUsedAgain;
  }

  /** @param {readonly any[]} messages @returns {any[]} */
  strip(messages) {
    const sent = copyOfList(messages);
    const changed = this.#readChanged(sent);
    for (const index of this.#chooseFields() ? sent.keys() : changed) {
      const entry = /** @type {Entry} */ (this.#entries[index]);
      this.#stripOne(entry);
      if (entry.sent !== sent[index]) sent[index] = entry.sent;
    }
    return this.#merged(sent);
  }

  /** Reads new and changed messages, and returns their indices; replaces the others in `sent` by what is sent of them. @param {any[]} sent */
  #readChanged(sent) {
    const entries = this.#entries;
    entries.length = Math.min(entries.length, sent.length);
    const trustedCount = entries.length - READ_AGAIN;
    /** @type {number[]} */ const read = [];
    for (let index = 0; index < sent.length; index++) {
      const message = sent[index];
      const earlier = entries[index];
      const isSame = earlier !== undefined && isUnchanged(earlier, message);
      const messageForm = isSame && index < trustedCount ? earlier.messageForm : messageFormOf(message, this.#forced);
      const { form, dialect } = messageForm;
      if (isSame && form === earlier.messageForm.form && dialect === earlier.messageForm.dialect) {
        if (earlier.sent !== message) sent[index] = earlier.sent;
        continue;
      }
      const isOurs = Boolean(compressionOf(message) ?? beforeCompressionOf(message));
      entries[index] = { message, messageForm, sent: message, isOurs, values: null, sentValues: null };
      read.push(index);
    }
    return read;
  }

  /** Chooses the fields that chat messages keep. @returns {boolean} true if these changed */
  #chooseFields() {
    // Text messages look alike in several dialects, so they keep the fields of the surrounding messages' dialect.
    const first = this.#entries.find(({ messageForm }) => messageForm.dialect?.fields);
    const forced = /** @type {Record<string, any>} */ (DIALECTS)[this.#forced ?? ''];
    /** @type {Dialect | undefined} */ const surrounding = first?.messageForm.dialect ?? forced;
    if (this.#chatFields.size > 0 && surrounding === this.#surroundingDialect) return false;
    this.#surroundingDialect = surrounding;
    this.#chatFields = new Set([...requestFields(), ...this.#keep, ...(surrounding?.fields ?? [])]);
    return true;
  }

  /** @param {Entry} entry */
  #stripOne(entry) {
    const { message, messageForm } = entry;
    entry.sent = stripped(message, messageForm, this.#chatFields, this.#keep);
    // Our own fields may lie in another object, whose changes `values` would miss.
    if (!this.#isUsedAgain || ownFieldsOf(message) !== message) return;
    entry.values = valuesOf(message);
    if (entry.sent !== message) entry.sentValues = valuesOf(entry.sent);
  }

  /** Joins messages that a compression made adjacent, if the provider requires it. @param {any[]} sent */
  #merged(sent) {
    const entries = this.#entries.filter(({ isOurs }) => isOurs);
    if (entries.length === 0) return sent;
    const merge = this.#entries.find(({ messageForm }) => messageForm.dialect?.merged)?.messageForm.dialect?.merged;
    if (merge === undefined) return sent;
    const ids = recordIdsIn(entries.map(({ message }) => message));
    const made = new Set(entries.filter(({ message }) => isFromCompression(message, ids)).map((entry) => entry.sent));
    return made.size === 0 ? sent : merge(sent, (message) => made.has(message));
  }
}

/** @param {Entry} entry @param {any} message */
function isUnchanged({ message: earlier, sent, values, sentValues }, message) {
  if (message !== earlier || values === null || !hasValues(message, values)) return false;
  return sent === earlier || (sentValues !== null && hasValues(sent, sentValues));
}

const isResponsesPart = (/** @type {any} */ part) => part?.type === 'output_text' || part?.type === 'input_text';

/** @param {any} message @param {Forced} forced @returns {MessageForm} */
function messageFormOf(message, forced) {
  const known = safely(() => {
    const mayBeItem = (forced === undefined || forced.startsWith('openai-')) && message?.type === 'message';
    const content = mayBeItem ? message.content : undefined;
    const isItem = isList(content) && content.some(isResponsesPart);
    return isItem ? { form: null, dialect: responses } : formFor(message, forced);
  });
  return known ?? { form: null, dialect: null };
}

/** Without the fields that are not sent. @param {any} message @param {MessageForm} messageForm @param {ReadonlySet<string>} chatFields @param {readonly string[]} keep */
function stripped(message, messageForm, chatFields, keep) {
  if (!isObject(message)) return message;
  const copy = safely(() => {
    const holder = messageForm.dialect?.fields ? message : ownFieldsOf(message);
    const unsent = Object.keys(holder).filter(unsentTest(message, messageForm, chatFields, keep));
    return unsent.length === 0 ? message : copyWith(message, unsent, {});
  });
  return copy ?? message;
}

/** True for fields that are not sent. @type {(message: any, form: MessageForm, chatFields: ReadonlySet<string>, keep: readonly string[]) => (field: string) => boolean} */
function unsentTest(message, { form, dialect }, chatFields, keep) {
  if (dialect?.fields) {
    const fields = [...dialect.fields, ...keep];
    return (field) => !fields.includes(field);
  }
  // For unknown request formats, and for class instances, only our own fields are removed.
  if (dialect !== null || typeof message.role !== 'string' || (form !== null && form !== 'other')) {
    return (field) => OWN_FIELDS.includes(field) && !keep.includes(field);
  }
  // On a message in OpenAI's own spelling, camelCase fields are the application's notes.
  const hasNotes = !isCamelCase(message);
  return (field) => !chatFields.has(field) || (hasNotes && Object.hasOwn(CAMEL_CASE, field));
}

module.exports = { ApiMessages, stripForApi };
