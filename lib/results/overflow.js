// @ts-check
'use strict';

const native = require('../native.js');
const { wrongType } = require('../errors.js');
const { ContextLengthExceededError } = require('./context-length-error.js');
const { textsOfError } = require('./error-texts.js');

/**
 * @param {unknown} error
 * @param {string | null} [provider]
 * @param {{ language?: 'zh' | 'en' } | null} [options]
 * @returns {InstanceType<typeof ContextLengthExceededError> | null}
 */
function parseContextLengthError(error, provider, options) {
  if (provider !== undefined && provider !== null && typeof provider !== 'string') {
    throw wrongType('provider', 'a string', provider);
  }
  const language = readLanguage(options);
  if (error instanceof ContextLengthExceededError) return error;
  const found = native.findContextOverflow(textsOfError(error));
  if (found === null) return null;
  return new ContextLengthExceededError(found.requested ?? null, found.max ?? null, provider || found.provider, {
    language,
    cause: error,
  });
}

/**
 * @param {unknown} options
 * @returns {'zh' | 'en' | undefined}
 */
function readLanguage(options) {
  if (options === undefined || options === null) return undefined;
  if (typeof options !== 'object') throw wrongType('options', 'an object', options);
  const { language } = /** @type {Record<string, unknown>} */ (options);
  if (language === undefined || language === null) return undefined;
  if (typeof language !== 'string') throw wrongType('options.language', 'a string', language);
  // Refused before anything is parsed, so that a wrong option doesn't show only when an overflow happens.
  native.contextOverflowTexts(language);
  return /** @type {'zh' | 'en'} */ (language);
}

module.exports = { parseContextLengthError };
