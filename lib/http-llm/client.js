// @ts-check
'use strict';

const { AbortError, errorOf, LlmHttpError } = require('./error.js');
const { readClientOptions } = require('./options.js');
const { readRequest } = require('./request.js');
const { logAttempts } = require('./log-attempts.js');
const { cliAddon } = require('../native-cli.js');

/** @typedef {import('../../binding-cli.js').HttpLlmAnswer} NativeAnswer */

/** A model's endpoint. It keeps connections, so use one instance per endpoint. Printing it shows none of its options, including the key. */
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
      return answerOf(/** @type {NativeAnswer} */ (answer));
    } finally {
      signal?.removeEventListener('abort', cancel);
    }
  }

  /** As `chat`, under the name that some applications call. @param {unknown} request */
  call(request) {
    return this.chat(request);
  }
}

/** The response in its public form. @param {NativeAnswer} answer */
function answerOf({ content, finishReason, refusal, model, promptTokens, cachedTokens, completionTokens, requestId }) {
  const usage =
    promptTokens === undefined
      ? null
      : { promptTokens, cachedTokens: cachedTokens ?? null, completionTokens: completionTokens ?? 0 };
  return {
    content,
    finishReason: finishReason ?? null,
    refusal: refusal ?? null,
    model: model ?? null,
    usage,
    requestId: requestId ?? null,
  };
}

module.exports = { HttpLlmClient, LlmHttpError };
