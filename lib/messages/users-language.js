// @ts-check
'use strict';

const { compressionOf } = require('../compression/record.js');
const { copyOfList } = require('../lists.js');
const native = require('../native.js');
const { isObject } = require('../plain-data.js');
const { formOf } = require('./form.js');
const { readContent } = require('./message-content.js');
const { roleOf } = require('./message-fields.js');
const { Stamp } = require('./stamp.js');

/**
 * Detects the language in which the user writes; placeholders and summaries are in the same language.
 * @typedef {import('../arguments.js').Language} Language
 * @typedef {import('./choice.js').Forced} Forced
 * @typedef {{ role: string, text: string, hasResults: boolean }} Speech what a message says; `hasResults`: it has tool results
 *
 * The messages of a conversation that were read, with what each says. `isFinal`: later messages don't count.
 * @typedef {{ message: unknown, stamp: InstanceType<typeof Stamp>, speech: Speech | undefined }} Read
 * @typedef {{ read: Read[], isFinal: boolean, language: Language }} Detection
 */

/** Enough messages to detect the user's language. */ const MAX_MESSAGES = 32;
const RESULT_ONLY = Object.freeze({ role: 'tool', text: '', hasResults: true });

/** The language of the user; if unknown, the assistant's, otherwise English. @param {readonly any[]} messages @param {Forced} [forced] */
const usersLanguage = (messages, forced) => languageOf(messages.map((message) => speechOf(message, forced)));

/** Keyed by a conversation's first message, because its language is needed at every request. @type {WeakMap<object, Detection>} */
const detections = new WeakMap();

/**
 * The language of the messages up to the first result after a user message. It stays the same as the conversation grows, because what is sent must not
 * change its language.
 * @param {readonly any[]} messages @param {Forced} [forced] @returns {Language}
 */
function usersFirstLanguage(messages, forced) {
  const first = messages.find(isObject);
  const cached = first === undefined ? undefined : detections.get(first);
  const isSame = cached?.read.every(({ message, stamp }, at) => messages[at] === message && stamp.isUnchanged(message));
  /** @type {Detection} */ const detection = cached && isSame ? cached : { read: [], isFinal: false, language: 'en' };
  if (detection.isFinal) return detection.language;
  readOn(detection, messages, forced);
  if (first !== undefined) detections.set(first, detection);
  return detection.language;
}

/** Reads new messages until the language is final. @param {Detection} detection @param {readonly any[]} messages @param {Forced} forced */
function readOn(detection, messages, forced) {
  const { read } = detection;
  for (const message of copyOfList(messages, read.length, Math.min(messages.length, MAX_MESSAGES))) {
    const speech = speechOf(message, forced);
    read.push({ message, stamp: new Stamp(message), speech });
    const isAnswered = speech?.hasResults === true && read.some((each) => each.speech?.role === 'user');
    detection.isFinal = isAnswered || read.length === MAX_MESSAGES;
    if (detection.isFinal) break;
  }
  detection.language = languageOf(read.map(({ speech }) => speech));
}

/** What a user or assistant message says; undefined for others, and for a summary. @param {any} message @param {Forced} forced @returns {Speech | undefined} */
function speechOf(message, forced) {
  if (!isObject(message)) return undefined;
  if (forced === undefined && formOf(message) === null && roleOf(message) === 'tool') return RESULT_ONLY;
  const { role, answers, texts, outputs } = readContent(message, forced);
  const hasResults = answers.length > 0;
  if (role === 'tool' || (hasResults && role !== 'assistant')) return RESULT_ONLY;
  if ((role !== 'user' && role !== 'assistant') || compressionOf(message) !== undefined) return undefined;
  const ownTexts = texts.filter((_, index) => !outputs.some(([start, end]) => index >= start && index < end));
  return { role, text: ownTexts.join('\n'), hasResults };
}

/** @param {readonly (Speech | undefined)[]} speeches */
function languageOf(speeches) {
  const textsOf = (/** @type {string} */ role) => speeches.flatMap((each) => (each?.role === role ? [each.text] : []));
  return /** @type {Language} */ (native.spokenLanguage(textsOf('user'), textsOf('assistant')));
}

module.exports = { usersFirstLanguage, usersLanguage };
