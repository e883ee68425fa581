// @ts-check
'use strict';

const { compressionOf } = require('../compression/record.js');
const native = require('../native.js');
const { formOf } = require('./form.js');
const { roleOf } = require('./role.js');
const { sayOf } = require('./said.js');
const { Stamp } = require('./stamp.js');

/**
 * @typedef {import('../arguments.js').Language} Language
 * @typedef {import('./choice.js').Forced} Forced
 * @typedef {{ role: string, text: string, hasResults: boolean }} Words
 */

/** Enough messages to detect the user's language. */
const MOST_MESSAGES = 32;
const RESULT = Object.freeze({ role: 'tool', text: '', hasResults: true });

/** The language of a conversation's user; if unknown, the assistant's, otherwise English. */
class ConversationLanguage {
  #forced;
  /** For each message, its words. @type {(Words | undefined)[]} */ #words = [];
  /** @type {Language | undefined} */ #found;
  /** True once the language was detected from a user message; assistant messages no longer change it. */ #isUsers = false;

  /** @param {Forced} [forced] */
  constructor(forced) {
    this.#forced = forced;
  }

  /**
   * @param {readonly any[]} messages the messages of the last call that were not forgotten, and new ones after them
   * @returns {Language}
   */
  of(messages) {
    for (let index = this.#words.length; index < messages.length; index++) {
      const words = wordsOf(messages[index], this.#forced);
      this.#words.push(words);
      const counts = words !== undefined && words !== RESULT && (words.role === 'user' || !this.#isUsers);
      if (counts) this.#found = undefined;
    }
    if (this.#found !== undefined) return this.#found;
    const users = /** @type {Language | null} */ (native.usersLanguage(textsOf(this.#words, 'user')));
    this.#isUsers = users !== null;
    this.#found = users ?? languageOf(this.#words);
    return this.#found;
  }

  /** Forgets the messages from `length` on. @param {number} length */
  forget(length) {
    if (length >= this.#words.length) return;
    this.#words.length = length;
    this.#found = undefined;
  }
}

/**
 * Cache for a conversation that starts with this message, because its language is needed at every request.
 * @typedef {object} Latest
 * @property {{ message: unknown, stamp: InstanceType<typeof Stamp> }[]} read
 * @property {(Words | undefined)[]} words words of the messages that were read
 * @property {boolean} isTalk no tool was called yet, so no placeholder needs a language
 * @property {boolean} isOver
 * @property {Language} [found]
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
  if (known !== undefined && isKnown && known.isOver) return /** @type {Language} */ (known.found);
  /** @type {Latest} */
  const said = known !== undefined && isKnown ? known : { read: [], words: [], isTalk: true, isOver: false };
  const before = said.words.length;
  readOn(said, messages, forced);
  const isNews = said.words.length > before && (said.isOver || !said.isTalk);
  if (said.found === undefined || isNews) said.found = languageOf(said.words);
  if (first !== undefined) latest.set(first, said);
  return said.found;
}

/** Reads new messages until the language is final. @param {Latest} said @param {readonly any[]} messages @param {Forced} forced */
function readOn(said, messages, forced) {
  const { read, words } = said;
  const end = Math.min(messages.length, MOST_MESSAGES);
  for (let index = words.length; index < end && !said.isOver; index++) {
    const message = messages[index];
    const spoken = wordsOf(message, forced, said);
    words.push(spoken);
    read.push({ message, stamp: new Stamp(message) });
    said.isOver = spoken?.hasResults === true && words.some((each) => each?.role === 'user');
  }
  said.isOver ||= words.length === MOST_MESSAGES;
}

/**
 * The words of a user or assistant message, but not of a summary.
 * @param {any} message
 * @param {Forced} forced
 * @param {{ isTalk: boolean }} [said] updated for calls and results
 */
function wordsOf(message, forced, said) {
  if (typeof message !== 'object' || message === null) return undefined;
  if (forced === undefined && formOf(message) === null && roleOf(message) === 'tool') {
    if (said !== undefined) said.isTalk = false;
    return RESULT;
  }
  const { role, answers, calls, texts, outputs } = sayOf(message, forced);
  const hasResults = answers.length > 0;
  if (said !== undefined && (role === 'tool' || hasResults || calls.length > 0)) said.isTalk = false;
  if (role === 'tool' || (hasResults && role !== 'assistant')) return RESULT;
  if ((role !== 'user' && role !== 'assistant') || compressionOf(message) !== undefined) return undefined;
  const own = texts.filter((_, at) => !outputs.some(([from, end]) => at >= from && at < end));
  return { role, text: own.join('\n'), hasResults };
}

/** @param {readonly (Words | undefined)[]} words */
function languageOf(words) {
  return /** @type {Language} */ (native.spokenLanguage(textsOf(words, 'user'), textsOf(words, 'assistant')));
}

/** @param {readonly (Words | undefined)[]} words @param {string} role */
function textsOf(words, role) {
  return words.flatMap((said) => (said !== undefined && said.role === role ? [said.text] : []));
}

module.exports = { ConversationLanguage, usersFirstLanguage };
