// @ts-check
'use strict';

const { checkOptions, optional, readLanguage, readText } = require('../arguments.js');
const { OPTIONS } = require('../option-names.js');
const native = require('../native.js');
const { ContextLengthExceededError } = require('./context-length-error.js');
const { textsOfError } = require('./error-texts.js');

/**
 * @param {unknown} error @param {string | null} [provider] @param {{ language?: 'zh' | 'en' } | null} [options]
 * @returns {InstanceType<typeof ContextLengthExceededError> | null}
 */
function parseContextLengthError(error, provider, options) {
  const named = optional(readText, 'provider', provider);
  // A wrong option must not show only when an overflow happens.
  const language = optional(readLanguage, 'options.language', checkOptions(options, OPTIONS.language)?.language);
  if (error instanceof ContextLengthExceededError) return error;
  const found = native.findContextOverflow(textsOfError(error));
  if (found === null) return null;
  return new ContextLengthExceededError(found.requested ?? null, found.max ?? null, named || found.provider, {
    language,
    cause: error,
  });
}

module.exports = { parseContextLengthError };
