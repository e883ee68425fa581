// @ts-check
'use strict';

const { checkOptions, isGiven, optional, readInteger, readLanguage, readText } = require('../arguments.js');
const { OPTIONS } = require('../option-names.js');
const native = require('../native.js');
const { statusOf, textsOfError } = require('./error-texts.js');
const { causedBy, nameErrors, wrongType } = require('../errors.js');

/** A registered symbol, so that an ESM and a CommonJS bundle recognise each other's errors. */
const BRAND = Symbol.for('palimpsest.ContextLengthExceededError');

/** @typedef {'zh' | 'en'} Language */

/** A provider rejected a prompt that exceeds the context window. `message` and `suggestion` are meant for the user. */
class ContextLengthExceededError extends Error {
  /** @param {number | null} requestedTokens @param {number | null} maxTokens @param {string} provider @param {{ language?: Language, cause?: unknown }} [options] */
  constructor(requestedTokens, maxTokens, provider, options) {
    const { language, cause } = checkOptions(options, OPTIONS.overflowError) ?? {};
    const [message, suggestion] = native.contextOverflowTexts(optional(readLanguage, 'options.language', language));
    super(message, causedBy(cause));
    this.code = /** @type {const} */ ('CONTEXT_LENGTH_EXCEEDED');
    this.requestedTokens = tokensOrNull('requestedTokens', requestedTokens);
    this.maxTokens = tokensOrNull('maxTokens', maxTokens);
    this.provider = readText('provider', provider);
    this.suggestion = suggestion;
  }

  /** @param {Language} language */
  textsIn(language) {
    const [message, suggestion] = native.contextOverflowTexts(readLanguage('language', language));
    return { message, suggestion };
  }

  /** Omits `cause`, which may hold a request with its key. */
  toJSON() {
    const { name, code, message, suggestion, requestedTokens, maxTokens, provider } = this;
    return { name, code, message, suggestion, requestedTokens, maxTokens, provider };
  }
}

/** @param {string} name @param {unknown} tokens @returns {number | null} */
function tokensOrNull(name, tokens) {
  if (isGiven(tokens) && typeof tokens !== 'number') throw wrongType(name, 'a number or null', tokens);
  return /** @type {any} */ (tokens ?? null);
}

Object.defineProperty(ContextLengthExceededError, Symbol.hasInstance, {
  /** @this {Function} @param {unknown} value */
  value(value) {
    // A subclass checks for its own instances.
    if (this !== ContextLengthExceededError) return Function.prototype[Symbol.hasInstance].call(this, value);
    return typeof value === 'object' && value !== null && BRAND in value;
  },
});

nameErrors(ContextLengthExceededError, 'ContextLengthExceededError');
Object.defineProperty(ContextLengthExceededError.prototype, BRAND, { value: true });

/**
 * The context overflow that an error reports; null if it reports another problem.
 * @param {unknown} error @param {string | null} [provider] @param {{ language?: Language, status?: number } | null} [options]
 */
function parseContextLengthError(error, provider, options) {
  const named = optional(readText, 'provider', provider);
  // Check the options first, so that an invalid option does not surface only when an overflow happens.
  const checked = checkOptions(options, OPTIONS.parseOverflow);
  const language = optional(readLanguage, 'options.language', checked?.language);
  const status = optional(readInteger, 'options.status', checked?.status, 100, 599);
  if (error instanceof ContextLengthExceededError) return error;
  const found = native.findContextOverflow(textsOfError(error), named, status ?? statusOf(error));
  if (found === null) return null;
  const { requested = null, max = null, provider: detected } = found;
  return new ContextLengthExceededError(requested, max, named || detected, { language, cause: error });
}

module.exports = { ContextLengthExceededError, parseContextLengthError };
