// @ts-check
'use strict';

const { checkOptions, optional, readInteger, readLanguage, readText } = require('../arguments.js');
const { OPTIONS } = require('../option-names.js');
const native = require('../native.js');
const { ContextLengthExceededError } = require('./context-length-error.js');
const { statusOf, textsOfError } = require('./error-texts.js');

/**
 * The context overflow that an error reports; null if it reports another problem.
 * @param {unknown} error @param {string | null} [provider] @param {{ language?: 'zh' | 'en', status?: number } | null} [options]
 * @returns {InstanceType<typeof ContextLengthExceededError> | null}
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
  return new ContextLengthExceededError(found.requested ?? null, found.max ?? null, named || found.provider, {
    language,
    cause: error,
  });
}

module.exports = { parseContextLengthError };
