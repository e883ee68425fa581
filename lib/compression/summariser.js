// @ts-check
'use strict';

const { codeNameOf, errorClassOf } = require('../errors.js');
const { statusOf, textsOfError } = require('../results/error-texts.js');
const { parseContextLengthError } = require('../results/overflow.js');
const { answerText } = require('./answer.js');
const { parametersOf } = require('./client.js');

/**
 * @typedef {import('../../binding.js').SummaryCall} SummaryCall
 * @typedef {import('../../binding.js').SummaryReply} SummaryReply
 */

/**
 * Calls the model. Never throws or rejects, because an unhandled rejection would end the application's process.
 * @param {import('./client.js').Client} client @param {SummaryCall} call @param {AbortSignal} signal
 * @returns {Promise<SummaryReply>}
 */
async function ask(client, call, signal) {
  try {
    if (signal.aborted) return { failure: 'aborted' };
    const asked = new AskedModel(call.model);
    const parameters = asked.within(parametersOf(call, signal));
    const answer = await client({ parameters, call, signal });
    return { answer: answerText(answer), model: asked.ifUsed };
  } catch (error) {
    return failureOf(error, signal);
  }
}

/** Tracks whether the client reads the model's name. A client that doesn't uses its own model, which the record must not misname. */
class AskedModel {
  #model;
  #wasRead = false;

  /** @param {string} model empty for the client's own */
  constructor(model) {
    this.#model = model;
  }

  /** @param {object} parameters */
  within(parameters) {
    let model = this.#model;
    if (model === '') return parameters;
    return Object.defineProperty(parameters, 'model', {
      enumerable: true,
      configurable: true,
      get: () => {
        this.#wasRead = true;
        return model;
      },
      set: (/** @type {string} */ other) => {
        model = other;
      },
    });
  }

  get ifUsed() {
    return this.#wasRead ? this.#model : undefined;
  }
}

/** @param {any} error @param {AbortSignal} signal @returns {SummaryReply} */
function failureOf(error, signal) {
  if (signal.aborted) return { failure: 'aborted' };
  try {
    const overflow = parseContextLengthError(error);
    if (overflow !== null) return { failure: 'too_long', maxTokens: overflow.maxTokens ?? undefined };
    const complaint = textsOfError(error).join('\n');
    return { failure: codeNameOf(error), errorClass: errorClassOf(error), status: statusOf(error), complaint };
  } catch {
    return { failure: 'error' };
  }
}

module.exports = { ask };
