// @ts-check
'use strict';

const { codeNameOf, wrongType } = require('../errors.js');
const { parseContextLengthError } = require('../results/overflow.js');
const { answerText } = require('./answer.js');

/**
 * @typedef {import('../../binding.js').SummaryCall} SummaryCall
 * @typedef {import('../../binding.js').SummaryReply} SummaryReply
 */

/** The host's client as a function. @param {any} client @returns {(parameters: object) => unknown} */
function callableOf(client) {
  if (typeof client === 'function') return client;
  for (const method of ['chat', 'call']) {
    if (typeof client?.[method] === 'function') return (parameters) => client[method](parameters);
  }
  throw wrongType('llmClient', 'a function, or an object with chat or call', client);
}

/**
 * Asks the host's client. Never throws or rejects: a rejection nobody waits for would end the host's process.
 * @param {(parameters: object) => unknown} client
 * @param {SummaryCall} call
 * @param {AbortSignal} signal
 * @returns {Promise<SummaryReply>}
 */
async function ask(client, { model, system, user, maxTokens, temperature }, signal) {
  try {
    const messages = [
      { role: 'system', content: system },
      { role: 'user', content: user },
    ];
    const limits = { maxTokens, max_tokens: maxTokens, temperature };
    const asked = new AskedModel(model);
    const answer = await client(asked.within({ messages, ...limits, signal, abortSignal: signal }));
    return { answer: answerText(answer), model: asked.ifUsed };
  } catch (error) {
    return failureOf(error, signal);
  }
}

/** The model that a client is asked to use, and whether it can have: one that never looks has its own. */
class AskedModel {
  #model;
  #wasRead = false;

  /** @param {string} model */
  constructor(model) {
    this.#model = model;
  }

  /** The same parameters with the model among them. @param {object} parameters */
  within(parameters) {
    let model = this.#model;
    return Object.defineProperty({ model, ...parameters }, 'model', {
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
    return { failure: codeNameOf(error) };
  } catch {
    return { failure: 'error' };
  }
}

module.exports = { ask, callableOf };
