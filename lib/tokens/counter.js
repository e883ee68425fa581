// @ts-check
'use strict';

const native = require('../native.js');
const { checkMessages, checkOptions, choicesOf, optional } = require('../arguments.js');
const { readArray, readChoice, readCount, readText } = require('../arguments.js');
const { logOnce } = require('../log.js');
const { forcedFrom } = require('../messages/choice.js');
const { OPTIONS } = require('../option-names.js');
const { countForms, totalOf } = require('../messages/form.js');
const { CountMemo } = require('./memo.js');
const { ToolCount } = require('./tools.js');

/** Counts tokens: exact for OpenAI's encodings, an estimate for other models. */
class TokenCounter {
  #model;
  #memo;
  /** @type {import('../messages/form.js').FormCounts} */ #forms = countForms([]);

  /** @param {unknown} [options] */
  constructor(options) {
    const checked = checkOptions(options, OPTIONS.counter);
    const forced = forcedFrom(checked);
    this.#model = new native.TokenModel(checked);
    this.#memo = new CountMemo(this.#model, forced);
  }

  get isExact() {
    return this.#model.isExact;
  }

  get encoding() {
    return this.#model.encoding;
  }

  get contextWindow() {
    return this.#model.contextWindow ?? null;
  }

  get unrecognised() {
    return totalOf(this.#forms);
  }

  get unrecognisedForms() {
    return this.#forms;
  }

  /** @param {string} text */
  count(text) {
    readText('text', text);
    return Math.ceil(this.#model.count(text));
  }

  /** Counts on another thread. @param {string} text @returns {Promise<number>} */
  async countAsync(text) {
    readText('text', text);
    return Math.ceil(await this.#model.countElsewhere(text));
  }

  /** @param {readonly unknown[]} messages @param {unknown} [options] */
  countMessages(messages, options) {
    checkMessages(messages);
    const checked = checkOptions(options, OPTIONS.countMessages);
    const tools = optional(readArray, 'options.tools', checked?.tools) ?? [];
    return Math.ceil(this.#sum(messages, Number.POSITIVE_INFINITY) + new ToolCount(this.#model).tokensOf(tools));
  }

  /** @param {unknown} message */
  countMessage(message) {
    /** @type {import('./memo.js').Column} */ const column = [];
    const tokens = this.#memo.tokensAt([message], 0, column);
    this.#noteForms(column, 1);
    return Math.ceil(tokens);
  }

  /** @param {string | readonly unknown[]} input @param {number} limit */
  fits(input, limit) {
    readCount('limit', limit);
    if (typeof input === 'string') return this.#model.fits(input, limit);
    checkMessages(input);
    return this.#sum(input, limit) <= limit;
  }

  /** @param {string} text @param {number} maxTokens @param {unknown} [options] */
  truncate(text, maxTokens, options) {
    readText('text', text);
    readCount('maxTokens', maxTokens);
    const checked = checkOptions(options, OPTIONS.truncateText);
    const choices = choicesOf('keepTokens');
    const keep = optional(readChoice, 'options.keep', checked?.keep, choices) ?? /** @type {string} */ (choices[0]);
    const marker = optional(readText, 'options.marker', checked?.marker);
    return this.#model.truncate(text, maxTokens, keep, marker) ?? text;
  }

  /** Loads the vocabularies on another thread. @returns {Promise<void>} */
  static preload() {
    return native.preloadTokens();
  }

  /** Tokens of all messages; stops at any number above `limit`. @param {readonly unknown[]} messages @param {number} limit */
  #sum(messages, limit) {
    const memo = this.#memo;
    const column = memo.columnOf(messages);
    const { length } = messages;
    let tokens = this.#model.requestOverhead;
    const isLimited = limit < Number.POSITIVE_INFINITY;
    for (let index = 0; index < length; index++) {
      if (isLimited && memo.exceeds(messages, index, column, limit - tokens)) return limit + 1;
      tokens += memo.tokensAt(messages, index, column);
      if (tokens > limit) return tokens;
    }
    memo.remember(messages, column);
    this.#noteForms(column, length);
    return tokens;
  }

  /** Records and logs unrecognised forms. @param {import('./memo.js').Column} column @param {number} messageCount */
  #noteForms(column, messageCount) {
    this.#forms = this.#memo.formsIn(column);
    const count = totalOf(this.#forms);
    if (count === 0) return;
    const names = Object.keys(this.#forms).join(', ');
    logOnce(`tokens: ${names}`, () => native.noteUnrecognised(true, count, messageCount, names));
  }
}

module.exports = { TokenCounter };
