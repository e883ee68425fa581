// @ts-check
'use strict';

const { readClientOptions, readRequest } = require('./options.js');
const { cliAddon } = require('../native-cli.js');
const { deliverEvents, isLogWanted } = require('../log.js');
const { checkOptions, readText } = require('../arguments.js');
const { causedBy, errorClassOf, nameErrors } = require('../errors.js');
const { OPTIONS } = require('../option-names.js');
const { safely } = require('../plain-data.js');
const { ContextLengthExceededError, parseContextLengthError } = require('../results/context-length-error.js');

/** Sends requests to a model's endpoint. It keeps connections, so use one instance per endpoint. Printing it shows none of its options, including the key. */
class HttpLlmClient {
  #native;
  #defaults;
  #language;

  /** @param {unknown} options @throws {Error} with `code: 'ERR_PALIMPSEST_NATIVE'` if palimpsest-cli isn't installed */
  constructor(options) {
    const { native, language, ...defaults } = readClientOptions(options);
    this.#native = new (cliAddon().HttpLlm)(native);
    this.#defaults = defaults;
    this.#language = language;
  }

  /** @param {unknown} request */
  async chat(request) {
    const { text, signal } = readRequest(request, this.#defaults);
    if (signal?.aborted) throw new AbortError(signal.reason);
    const cancellation = new (cliAddon().Cancellation)();
    const cancel = () => cancellation.cancel();
    signal?.addEventListener('abort', cancel, { once: true });
    try {
      const outcome = await this.#native.chat(text, cancellation);
      logAttempts(outcome);
      const { answer, failure } = outcome;
      if (failure?.cancelled) throw new AbortError(signal?.reason);
      if (failure) throw errorOf(failure, this.#language);
      return answerOf(/** @type {import('../../binding-cli.js').HttpLlmAnswer} */ (answer));
    } finally {
      signal?.removeEventListener('abort', cancel);
    }
  }

  /** As `chat`, under the name that some applications call. @param {unknown} request */
  call(request) {
    return this.chat(request);
  }
}

/** The response in its public form. @param {import('../../binding-cli.js').HttpLlmAnswer} answer */
function answerOf(answer) {
  const { content, finishReason = null, refusal = null, model = null, requestId = null } = answer;
  const { promptTokens, cachedTokens = null, completionTokens = 0 } = answer;
  const usage = promptTokens === undefined ? null : { promptTokens, cachedTokens, completionTokens };
  return { content, finishReason, refusal, model, usage, requestId };
}

/** @param {string} message @param {Record<string, string | number | undefined>} given undefined ones are omitted */
function debugEvent(message, given) {
  const present = Object.entries(given).filter(([, value]) => value !== undefined);
  const fields = present.map(([key, value]) => ({ key, [typeof value === 'string' ? 'text' : 'number']: value }));
  return { level: 'debug', message, fields };
}

/** Logs each attempt of a request and the request itself: figures and codes, no content. @param {import('../../binding-cli.js').HttpLlmOutcome} outcome of the request */
function logAttempts({ attempts, durationMs, failure }) {
  if (!isLogWanted()) return;
  const attemptEvents = attempts.flatMap(({ status, outcome, durationMs: duration_ms, waitMs: wait_ms }, index) => {
    const attempt = index + 1;
    const answered = debugEvent('model request answered', { attempt, outcome, status, duration_ms });
    if (wait_ms === undefined) return [answered];
    return [answered, debugEvent('model request repeated', { attempt: attempt + 1, wait_ms })];
  });
  const fields = { outcome: failure?.code ?? 'ok', attempts: attempts.length, duration_ms: durationMs };
  deliverEvents(/** @type {any} */ ([...attemptEvents, debugEvent('model request done', fields)]));
}

/** A request to a model that failed. `code` is for programs, `message` for people; neither contains content. */
class LlmHttpError extends Error {
  /** @param {string} message @param {string} code @param {Record<string, any> | null} [details] as declared */
  constructor(message, code, details) {
    const { status, retryAfterMs, requestId, providerMessage, providerType, cause } =
      checkOptions(details, OPTIONS.httpError, 'more') ?? {};
    super(readText('message', message), causedBy(cause));
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

/** An overflow has its own class, because callers can react to it. @param {import('../../binding-cli.js').HttpLlmFailure} failure @param {'zh' | 'en' | undefined} language */
function errorOf(failure, language) {
  const { code, message, body, status, retryAfterMs, requestId, providerMessage } = failure;
  const cause = failure.cause === undefined ? undefined : new Error(failure.cause);
  const providerType = safely(() => errorClassOf({ error: JSON.parse(body ?? '') }));
  /** @type {any} */ const details = { status, retryAfterMs, requestId, providerMessage, providerType, cause };
  const error = new LlmHttpError(message, code, details);
  const overflow = body === undefined ? null : parseContextLengthError(body);
  if (overflow === null) return error;
  const { requestedTokens, maxTokens, provider } = overflow;
  return new ContextLengthExceededError(requestedTokens, maxTokens, provider, { language, cause: error });
}

module.exports = { HttpLlmClient, LlmHttpError };
