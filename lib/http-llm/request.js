// @ts-check
'use strict';

const { optional, readAmount, readArray, readInteger, readObject, readSignal, readText } = require('../arguments.js');
const { jsonText } = require('../json-text.js');
const { outOfRange } = require('../errors.js');
const { checkedBody } = require('./options.js');

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
  const request = readObject('request', given);
  const signal = optional(readSignal, 'signal', request.signal);
  const model = readText('model', request.model ?? defaults.model, 'a string, here or in the options');
  if (model === '') throw outOfRange('model', 'a name', 'an empty string');
  const written = {
    model,
    messages: messagesOf(request.messages),
    max_tokens: maxTokensOf(request),
    temperature: temperatureOf(request.temperature, defaults.temperature),
    body: { ...defaults.body, ...checkedBody('body', request.body) },
  };
  return { text: write(written), signal };
}

/** @param {unknown} messages */
function messagesOf(messages) {
  const list = readArray('messages', messages);
  if (list.length === 0) throw outOfRange('messages', 'at least one message', 'an empty array');
  for (const message of list) readObject('messages', message, 'an array of objects');
  return list;
}

/**
 * Both spellings, since hosts' clients differ.
 * @param {Record<string, unknown>} request
 */
function maxTokensOf({ maxTokens, max_tokens: snake }) {
  const isCamel = maxTokens !== undefined && maxTokens !== null;
  return optional(readInteger, isCamel ? 'maxTokens' : 'max_tokens', isCamel ? maxTokens : snake, 1, MOST_TOKENS);
}

/**
 * @param {unknown} given
 * @param {number | false | undefined} byDefault
 */
function temperatureOf(given, byDefault) {
  const wished = optional(readAmount, 'temperature', given);
  return byDefault === false ? undefined : (wished ?? byDefault);
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
