// @ts-check
'use strict';

const { checkOptions, optional, readLanguage, readText } = require('../arguments.js');
const { OPTIONS } = require('../option-names.js');
const { nameErrors, wrongType } = require('../errors.js');
const native = require('../native.js');

/** A registered symbol, so that an ESM and a CommonJS bundle recognise each other's errors. */
const BRAND = Symbol.for('palimpsest.ContextLengthExceededError');

/** @typedef {'zh' | 'en'} Language */

/** A provider rejected a prompt that exceeds the context window. `message` and `suggestion` are meant for the user. */
class ContextLengthExceededError extends Error {
  /**
   * @param {number | null} requestedTokens @param {number | null} maxTokens @param {string} provider
   * @param {{ language?: Language, cause?: unknown }} [options]
   */
  constructor(requestedTokens, maxTokens, provider, options) {
    const { language, cause } = checkOptions(options, OPTIONS.overflowError) ?? {};
    const [message, suggestion] = overflowTexts(optional(readLanguage, 'options.language', language));
    super(message, cause === undefined ? undefined : { cause });
    this.code = /** @type {const} */ ('CONTEXT_LENGTH_EXCEEDED');
    this.requestedTokens = tokensOrNull('requestedTokens', requestedTokens);
    this.maxTokens = tokensOrNull('maxTokens', maxTokens);
    this.provider = readText('provider', provider);
    this.suggestion = suggestion;
  }

  /** @param {Language} language @returns {{ message: string, suggestion: string }} */
  textsIn(language) {
    const [message, suggestion] = overflowTexts(readLanguage('language', language));
    return { message, suggestion };
  }

  /** Omits `cause`, which may hold a request with its key. */
  toJSON() {
    const { name, code, message, suggestion, requestedTokens, maxTokens, provider } = this;
    return { name, code, message, suggestion, requestedTokens, maxTokens, provider };
  }
}

/** @param {string} name @param {unknown} tokens */
function tokensOrNull(name, tokens) {
  if (tokens === undefined || tokens === null) return null;
  if (typeof tokens !== 'number') throw wrongType(name, 'a number or null', tokens);
  return tokens;
}

/** @param {Language} [language] @returns {[message: string, suggestion: string]} */
function overflowTexts(language) {
  return native.contextOverflowTexts(language);
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

module.exports = { ContextLengthExceededError };
