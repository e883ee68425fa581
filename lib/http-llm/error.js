// @ts-check
'use strict';

const { checkOptions, readText } = require('../arguments.js');
const { errorClassOf, nameErrors } = require('../errors.js');
const { OPTIONS } = require('../option-names.js');
const { ContextLengthExceededError, parseContextLengthError } = require('../results/context-length-error.js');

/** @typedef {import('../../binding-cli.js').HttpLlmFailure} Failure */

/** A request to a model that failed. `code` is for programs, `message` for people; neither contains content. */
class LlmHttpError extends Error {
  /**
   * @param {string} message @param {string} code
   * @param {{ status?: number, retryAfterMs?: number, requestId?: string, providerMessage?: string, providerType?: string,
   *   cause?: unknown }} [details]
   */
  constructor(message, code, details) {
    const { status, retryAfterMs, requestId, providerMessage, providerType, cause } =
      checkOptions(details, OPTIONS.httpError, 'more') ?? {};
    super(readText('message', message), cause === undefined ? undefined : { cause });
    this.code = code;
    if (status !== undefined) this.status = status;
    if (retryAfterMs !== undefined) this.retryAfterMs = retryAfterMs;
    if (requestId !== undefined) this.requestId = requestId;
    if (providerType !== undefined) this.providerType = providerType;
    /** Not enumerable, because it may quote the prompt, and loggers print an error's enumerable fields. @type {string | undefined} */
    this.providerMessage = undefined;
    Object.defineProperty(this, 'providerMessage', { value: providerMessage, enumerable: false });
  }
}

/** Shaped like Node.js's own abort errors. */
class AbortError extends Error {
  /** @param {unknown} reason */
  constructor(reason) {
    super('The operation was aborted', { cause: reason });
    this.code = /** @type {const} */ ('ABORT_ERR');
  }
}

nameErrors(LlmHttpError, 'LlmHttpError');
nameErrors(AbortError, 'AbortError');

/** The provider's error type in a response's body. @param {string | undefined} body */
function providerTypeIn(body) {
  try {
    return errorClassOf({ error: JSON.parse(body ?? '') });
  } catch {
    return undefined;
  }
}

/**
 * Creates the error of a failure. An overflow has its own class, because callers can react to it.
 * @param {Failure} failure @param {'zh' | 'en' | undefined} language @returns {Error}
 */
function errorOf(failure, language) {
  const { code, message, body, status, retryAfterMs, requestId, providerMessage } = failure;
  const cause = failure.cause === undefined ? undefined : new Error(failure.cause);
  const details = { status, retryAfterMs, requestId, providerMessage, providerType: providerTypeIn(body), cause };
  const error = new LlmHttpError(message, code, /** @type {{ cause?: unknown }} */ (details));
  const overflow = body === undefined ? null : parseContextLengthError(body);
  if (overflow === null) return error;
  const { requestedTokens, maxTokens, provider } = overflow;
  return new ContextLengthExceededError(requestedTokens, maxTokens, provider, { language, cause: error });
}

module.exports = { AbortError, errorOf, LlmHttpError };
