// @ts-check
'use strict';

const { compressionOf } = require('../compression/record.js');
const native = require('../native.js');
const { sayOf } = require('./said.js');
const { Stamp } = require('./stamp.js');

/**
 * @typedef {import('../arguments.js').Language} Language
 * @typedef {import('./choice.js').Forced} Forced
 * @typedef {{ role: string, text: string }} Words
 */

/** By here a user has said enough to tell the language. */
const MOST_MESSAGES = 32;
const RESULT = Object.freeze({ role: 'tool', text: '' });

/** The language that the user of one conversation speaks: where that can't be told, the model's, else English. */
class SpokenLanguage {
  #forced;
  /** By message. @type {(Words | undefined)[]} */ #words = [];
  /** @type {Language | undefined} */ #found;
  /** Whether the user's own words told it: what the model says then changes nothing. */ #isUsers = false;

  /** @param {Forced} [forced] */
  constructor(forced) {
    this.#forced = forced;
  }

  /**
   * @param {readonly any[]} messages those of the last call, but for what was forgotten, and others behind them
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
 * What was read last of a conversation that begins with this message, and the language that was found in it: it is asked for at every
 * request.
 * @typedef {object} Latest
 * @property {{ message: unknown, stamp: InstanceType<typeof Stamp> }[]} read
 * @property {(Words | undefined)[]} words of the messages that were read
 * @property {boolean} isTalk whether nobody has called a tool yet: then nothing is said in any language
 * @property {boolean} isOver
 * @property {Language} [found]
 */
/** @type {WeakMap<object, Latest>} */
const latest = new WeakMap();

/**
 * The language of the messages up to the first result behind something that the user has said. However the conversation goes
 * on, it is the same: what is sent at every request must not change its language.
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

/** Reads what has come since, as far as it counts. @param {Latest} said @param {readonly any[]} messages @param {Forced} forced */
function readOn(said, messages, forced) {
  const { read, words } = said;
  const end = Math.min(messages.length, MOST_MESSAGES);
  for (let index = words.length; index < end && !said.isOver; index++) {
    const message = messages[index];
    const spoken = wordsOf(message, forced, said);
    words.push(spoken);
    read.push({ message, stamp: new Stamp(message) });
    said.isOver = spoken === RESULT && words.some((each) => each?.role === 'user');
  }
  said.isOver ||= words.length === MOST_MESSAGES;
}

/**
 * What the user or the model has said in a message; what a compression has written is neither's.
 * @param {any} message
 * @param {Forced} forced
 * @param {{ isTalk: boolean }} [said] takes note of calls and results
 */
function wordsOf(message, forced, said) {
  if (typeof message !== 'object' || message === null) return undefined;
  const { role, answers, calls, texts } = sayOf(message, forced);
  if (said !== undefined && (role === 'tool' || answers.length + calls.length > 0)) said.isTalk = false;
  if (role === 'tool' || answers.length > 0) return RESULT;
  if ((role !== 'user' && role !== 'assistant') || compressionOf(message) !== undefined) return undefined;
  return { role, text: texts.join('\n') };
}

/** @param {readonly (Words | undefined)[]} words */
function languageOf(words) {
  return /** @type {Language} */ (native.spokenLanguage(textsOf(words, 'user'), textsOf(words, 'assistant')));
}

/** @param {readonly (Words | undefined)[]} words @param {string} role */
function textsOf(words, role) {
  return words.flatMap((said) => (said !== undefined && said.role === role ? [said.text] : []));
}

module.exports = { SpokenLanguage, usersFirstLanguage };
