// @ts-check
'use strict';

const { checkOptions, readLanguage } = require('../arguments.js');
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
  // Refused before anything is parsed, so that a wrong option doesn't show only when an overflow happens.
  const language = readLanguage('options.language', checkOptions(options)?.language);
  if (error instanceof ContextLengthExceededError) return error;
  const found = native.findContextOverflow(textsOfError(error));
  if (found === null) return null;
  return new ContextLengthExceededError(found.requested ?? null, found.max ?? null, provider || found.provider, {
    language,
    cause: error,
  });
}

module.exports = { parseContextLengthError };
