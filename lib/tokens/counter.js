// @ts-check
'use strict';

const native = require('../native.js');
const { checkLength, checkMessages, checkOptions } = require('../arguments.js');
const { outOfRange, quoted, wrongType } = require('../errors.js');
const { sayOnce } = require('../log.js');
const { forcedFrom } = require('../messages/choice.js');
const { countForms, total } = require('../messages/unrecognised.js');
const { CountMemo } = require('./memo.js');
const { countTools } = require('./tools.js');

const KEEP = ['head', 'tail', 'both'];
/** What stands where the middle of a text was left out. */
const MARKER = '\n…\n';

/** Counts tokens as a model does: exactly for OpenAI's encodings, estimated for other models. */
class TokenCounter {
  #model;
  #memo;
  /** @type {import('../messages/unrecognised.js').FormCounts} */
  #forms = countForms([]);

  /** @param {unknown} [options] */
  constructor(options) {
    const given = checkOptions(options);
    const forced = forcedFrom(given);
    this.#model = new native.TokenModel(given);
    this.#memo = new CountMemo(this.#model, forced);
  }

  get isExact() {
    return this.#model.isExact;
  }

  get encoding() {
    return this.#model.encoding;
  }

  get unrecognised() {
    return total(this.#forms);
  }

  get unrecognisedForms() {
    return this.#forms;
  }

  /** @param {string} text */
  count(text) {
    if (typeof text !== 'string') throw wrongType('text', 'a string', text);
    return Math.ceil(this.#model.count(text));
  }

  /**
   * @param {readonly unknown[]} messages
   * @param {unknown} [options]
   */
  countMessages(messages, options) {
    checkMessages(messages);
    const tools = toolsFrom(checkOptions(options));
    return Math.ceil(this.#sum(messages, Number.POSITIVE_INFINITY) + countTools(this.#model, tools));
  }

  /** @param {unknown} message */
  countMessage(message) {
    const messages = [message];
    /** @type {(InstanceType<typeof import('./memo.js').Counted> | undefined)[]} */
    const column = [];
    const tokens = this.#memo.tokensAt(messages, 0, column);
    this.#noteForms(column, 1);
    return Math.ceil(tokens);
  }

  /**
   * @param {string | readonly unknown[]} input
   * @param {number} limit
   */
  fits(input, limit) {
    checkLimit('limit', limit);
    if (typeof input === 'string') return this.#model.fits(input, limit);
    checkMessages(input);
    return this.#sum(input, limit) <= limit;
  }

  /**
   * @param {string} text
   * @param {number} maxTokens
   * @param {unknown} [options]
   */
  truncate(text, maxTokens, options) {
    if (typeof text !== 'string') throw wrongType('text', 'a string', text);
    checkLimit('maxTokens', maxTokens);
    const { keep = 'head', marker = MARKER } = checkOptions(options) ?? {};
    if (typeof keep !== 'string') throw wrongType('options.keep', 'a string', keep);
    if (!KEEP.includes(keep)) throw outOfRange('options.keep', `one of ${KEEP.join(', ')}`, quoted(keep));
    if (typeof marker !== 'string') throw wrongType('options.marker', 'a string', marker);
    return this.#model.truncate(text, maxTokens, KEEP.indexOf(keep), marker) ?? text;
  }

  /** Reads the vocabularies on another thread. @returns {Promise<void>} */
  static preload() {
    return native.preloadTokens();
  }

  /**
   * Tokens of a request with `messages`; stops adding up once there are more than `limit`.
   * @param {readonly unknown[]} messages
   * @param {number} limit
   */
  #sum(messages, limit) {
    const memo = this.#memo;
    const column = memo.conversation(messages);
    const { length } = messages;
    let tokens = this.#model.requestOverhead;
    for (let index = 0; index < length; index++) {
      if (limit < Number.POSITIVE_INFINITY && memo.exceeds(messages, index, column, limit - tokens))
        return tokens + limit + 1;
      tokens += memo.tokensAt(messages, index, column);
      if (tokens > limit) return tokens;
    }
    memo.remember(messages, column);
    this.#noteForms(column, length);
    return tokens;
  }

  /**
   * @param {readonly (InstanceType<typeof import('./memo.js').Counted> | undefined)[]} column
   * @param {number} messages
   */
  #noteForms(column, messages) {
    this.#forms = this.#memo.formsIn(column);
    if (!this.#memo.hasForms) return;
    const count = total(this.#forms);
    if (count === 0) return;
    const names = Object.keys(this.#forms).join(', ');
    sayOnce(`tokens: ${names}`, () => native.noteUnrecognised(true, count, messages, names));
  }
}

/** @param {Record<string, unknown> | undefined} options @returns {readonly unknown[]} */
function toolsFrom(options) {
  const tools = options?.tools;
  if (tools === undefined || tools === null) return [];
  if (!Array.isArray(tools)) throw wrongType('options.tools', 'an array', tools);
  checkLength('options.tools', tools);
  return tools;
}

/** @param {string} name @param {unknown} limit */
function checkLimit(name, limit) {
  if (typeof limit !== 'number') throw wrongType(name, 'a number of tokens', limit);
  if (!Number.isSafeInteger(limit) || limit < 0) {
    throw outOfRange(name, 'a non-negative safe integer', String(limit));
  }
}

module.exports = { TokenCounter };
