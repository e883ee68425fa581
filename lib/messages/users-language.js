// @ts-check
'use strict';

const { compressionOf } = require('../compression/record.js');
const native = require('../native.js');
const { formOf } = require('./form.js');
const { readContent } = require('./message-content.js');
const { roleOf } = require('./role.js');
const { Stamp } = require('./stamp.js');

/**
 * @typedef {import('../arguments.js').Language} Language
 * @typedef {import('./choice.js').Forced} Forced
 * @typedef {{ role: string, text: string, hasResults: boolean }} Words
 */

/** Enough messages to detect the user's language. */
const MAX_MESSAGES = 32;
const RESULT = Object.freeze({ role: 'tool', text: '', hasResults: true });

/**
 * The language of a conversation's user; if unknown, the assistant's, otherwise English.
 * @param {readonly any[]} messages
 * @param {Forced} [forced]
 */
function usersLanguage(messages, forced) {
  return languageOf(messages.map((message) => wordsOf(message, forced)));
}

/**
 * Cache for a conversation that starts with this message, because its language is needed at every request. `words`: those of the messages that
 * were read; `isFinal`: later messages don't count.
 * @typedef {{ read: { message: unknown, stamp: InstanceType<typeof Stamp> }[], words: (Words | undefined)[], isFinal: boolean, language: Language }} Latest
 */
/** @type {WeakMap<object, Latest>} */
const latest = new WeakMap();

/**
 * The language of the messages up to the first result after a user message. It stays the same as the conversation grows, because what is sent must not
 * change its language.
 * @param {readonly any[]} messages
 * @param {Forced} [forced]
 * @returns {Language}
 */
function usersFirstLanguage(messages, forced) {
  const first = messages.find((message) => typeof message === 'object' && message !== null);
  const known = first === undefined ? undefined : latest.get(first);
  const isKnown = known?.read.every(({ message, stamp }, at) => messages[at] === message && stamp.holds(message));
  if (known !== undefined && isKnown && known.isFinal) return known.language;
  /** @type {Latest} */
  const found = known !== undefined && isKnown ? known : { read: [], words: [], isFinal: false, language: 'en' };
  readOn(found, messages, forced);
  if (first !== undefined) latest.set(first, found);
  return found.language;
}

/** Reads new messages until the language is final. @param {Latest} found @param {readonly any[]} messages @param {Forced} forced */
function readOn(found, messages, forced) {
  const { read, words } = found;
  const end = Math.min(messages.length, MAX_MESSAGES);
  for (let index = words.length; index < end && !found.isFinal; index++) {
    const message = messages[index];
    const own = wordsOf(message, forced);
    words.push(own);
    read.push({ message, stamp: new Stamp(message) });
    found.isFinal = own?.hasResults === true && words.some((each) => each?.role === 'user');
  }
  found.isFinal ||= words.length === MAX_MESSAGES;
  found.language = languageOf(words);
}

/** The words of a user or assistant message, but not of a summary. @param {any} message @param {Forced} forced @returns {Words | undefined} */
function wordsOf(message, forced) {
  if (typeof message !== 'object' || message === null) return undefined;
  if (forced === undefined && formOf(message) === null && roleOf(message) === 'tool') return RESULT;
  const { role, answers, texts, outputs } = readContent(message, forced);
  const hasResults = answers.length > 0;
  if (role === 'tool' || (hasResults && role !== 'assistant')) return RESULT;
  if ((role !== 'user' && role !== 'assistant') || compressionOf(message) !== undefined) return undefined;
  const own = texts.filter((_, at) => !outputs.some(([from, end]) => at >= from && at < end));
  return { role, text: own.join('\n'), hasResults };
}

/** @param {readonly (Words | undefined)[]} words */
function languageOf(words) {
  const textsOf = (/** @type {string} */ role) => words.flatMap((each) => (each?.role === role ? [each.text] : []));
  return /** @type {Language} */ (native.spokenLanguage(textsOf('user'), textsOf('assistant')));
}

module.exports = { usersFirstLanguage, usersLanguage };
