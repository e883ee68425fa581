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
    const parameters = parametersOf(call, signal);
    const modelIfRead = setModel(parameters, call.model);
    const answer = await client({ parameters, call, signal });
    return { answer: answerText(answer), model: modelIfRead() };
  } catch (error) {
    return failureOf(error, signal);
  }
}

/**
 * Sets the model's name. A client that doesn't read it uses its own model, which the record must not misname.
 * @param {object} parameters @param {string} model empty for the client's own @returns {() => string | undefined} the name if it was read
 */
function setModel(parameters, model) {
  let current = model;
  let wasRead = false;
  const get = () => {
    wasRead = true;
    return current;
  };
  const set = (/** @type {string} */ other) => {
    current = other;
  };
  if (model !== '') Object.defineProperty(parameters, 'model', { enumerable: true, configurable: true, get, set });
  return () => (wasRead ? model : undefined);
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
