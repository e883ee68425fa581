// @ts-check
'use strict';

const { checkLength } = require('../arguments.js');
const { jsonText } = require('../json-text.js');
const { outOfRange, wrongType } = require('../errors.js');
const { bodyOf, checkTemperature, checkWhole } = require('./options.js');

const MOST_TOKENS = Number.MAX_SAFE_INTEGER;

/**
 * @typedef {object} Defaults what the client was told
 * @property {string | undefined} model
 * @property {number | false | undefined} temperature
 * @property {Record<string, unknown> | undefined} body
 */

/**
 * Checks a call and writes it as JSON.
 * @param {unknown} given
 * @param {Defaults} defaults
 * @returns {{ text: string, signal: AbortSignal | undefined }}
 */
function readRequest(given, defaults) {
  if (given === null || typeof given !== 'object') throw wrongType('request', 'an object', given);
  const request = /** @type {Record<string, unknown>} */ (given);
  const signal = signalOf(request.signal);
  const model = request.model ?? defaults.model;
  if (typeof model !== 'string') throw wrongType('model', 'a string, here or in the options', model);
  if (model === '') throw outOfRange('model', 'a name', 'an empty string');
  const written = {
    model,
    messages: messagesOf(request.messages),
    max_tokens: maxTokensOf(request),
    temperature: temperatureOf(request.temperature, defaults.temperature),
    body: { ...defaults.body, ...bodyOf('body', request.body) },
  };
  return { text: write(written), signal };
}

/** @param {unknown} messages */
function messagesOf(messages) {
  if (!Array.isArray(messages)) throw wrongType('messages', 'an array', messages);
  checkLength('messages', messages);
  if (messages.length === 0) throw outOfRange('messages', 'at least one message', 'an empty array');
  for (const message of messages) {
    if (message === null || typeof message !== 'object') throw wrongType('messages', 'an array of objects', message);
  }
  return messages;
}

/**
 * Both spellings, since hosts' clients differ.
 * @param {Record<string, unknown>} request
 */
function maxTokensOf({ maxTokens, max_tokens: snake }) {
  const given = maxTokens ?? snake ?? undefined;
  if (given !== undefined) checkWhole('maxTokens', given, 1, MOST_TOKENS);
  return given;
}

/**
 * @param {unknown} given
 * @param {number | false | undefined} byDefault
 */
function temperatureOf(given, byDefault) {
  if (given !== undefined && given !== null) checkTemperature('temperature', given);
  return byDefault === false ? undefined : (given ?? byDefault);
}

/** @param {unknown} signal @returns {AbortSignal | undefined} */
function signalOf(signal) {
  if (signal === undefined || signal === null) return undefined;
  const like = /** @type {Partial<AbortSignal>} */ (signal);
  // By its shape: a signal from another realm is one too.
  if (typeof like !== 'object' || typeof like.aborted !== 'boolean' || typeof like.addEventListener !== 'function') {
    throw wrongType('signal', 'an AbortSignal', signal);
  }
  return /** @type {AbortSignal} */ (signal);
}

/**
 * @param {object} request
 * @returns {string}
 */
function write(request) {
  try {
    return /** @type {string} */ (jsonText(request));
  } catch (cause) {
    const came = 'a cycle, a bigint, a getter that throws or millions of values';
    const error = new TypeError(`request: expected what JSON can hold, got ${came}`, { cause });
    throw Object.assign(error, { code: 'ERR_INVALID_ARG_TYPE' });
  }
}

module.exports = { readRequest };
