// @ts-check
'use strict';

const { optional, readAmount } = require('../arguments.js');
const { readArray, readInteger, readObject, readOptions, readSignal, readText } = require('../arguments.js');
const { jsonText } = require('../plain-data.js');
const { invalidArgument, outOfRange } = require('../errors.js');
const { OPTIONS } = require('../option-names.js');
const { checkedBody } = require('./options.js');

const MAX_TOKENS = Number.MAX_SAFE_INTEGER;

/**
 * @typedef {object} Defaults options of the client
 * @property {string | undefined} model
 * @property {number | false | undefined} temperature
 * @property {Record<string, unknown> | undefined} body
 */

/** @param {unknown} given @param {Defaults} defaults @returns {{ text: string, signal: AbortSignal | undefined }} `text`: the request as JSON */
function readRequest(given, defaults) {
  const request = readOptions('request', given, OPTIONS.httpRequest);
  const { name, value } = firstGiven(request, ['signal', 'abortSignal']);
  const signal = optional(readSignal, name, value);
  const model = readText('model', request.model ?? defaults.model, 'a string, here or in the options');
  if (model === '') throw outOfRange('model', 'a name', 'an empty string');
  const limit = firstGiven(request, ['maxTokens', 'max_tokens', 'max_completion_tokens']);
  const fields = {
    model,
    messages: messagesOf(request.messages),
    max_tokens: optional(readInteger, limit.name, limit.value, 1, MAX_TOKENS),
    temperature: temperatureOf(request.temperature, defaults.temperature),
    body: { ...defaults.body, ...checkedBody('body', request.body) },
  };
  return { text: jsonOf(fields), signal };
}

/** @param {unknown} messages */
function messagesOf(messages) {
  const list = readArray('messages', messages);
  if (list.length === 0) throw outOfRange('messages', 'at least one message', 'an empty array');
  for (const message of list) readObject('messages', message, 'an array of objects');
  return list;
}

/**
 * The first of several names of an option that is set; clients of applications name these options differently.
 * @param {Record<string, unknown>} request @param {[string, ...string[]]} names
 */
function firstGiven(request, names) {
  const name = names.find((name) => request[name] !== undefined && request[name] !== null) ?? names[0];
  return { name, value: request[name] };
}

/** @param {unknown} given @param {number | false | undefined} byDefault false: never sent */
function temperatureOf(given, byDefault) {
  const temperature = optional(readAmount, 'temperature', given);
  return byDefault === false ? undefined : (temperature ?? byDefault);
}

/** @param {object} request @returns {string} */
function jsonOf(request) {
  try {
    return /** @type {string} */ (jsonText(request));
  } catch (cause) {
    const reasons = 'a cycle, a bigint, a getter that throws or millions of values';
    throw invalidArgument(`request: expected what JSON can hold, got ${reasons}`, cause);
  }
}

module.exports = { readRequest };
