// @ts-check
'use strict';

const { checkLength, checkOptions, optional, readAmount, readArray, readInteger } = require('../arguments.js');
const { readLanguage, readObject, readOptions, readSignal, readText } = require('../arguments.js');
const { OPTIONS } = require('../option-names.js');
const { wrongType, invalidArgument, outOfRange } = require('../errors.js');
const { jsonText } = require('../plain-data.js');

/** Reads the options of a client, and each of its requests. */

/** @typedef {Record<string, unknown>} Given */
/** @typedef {Pick<ReturnType<typeof readClientOptions>, 'model' | 'temperature' | 'body'>} Defaults */

/** Upper limit of the options in milliseconds: one day. */
const MAX_MS = 86_400_000;
const MAX_RESPONSE_BYTES = 2 ** 30;
const MAX_RETRIES = 20;

/** Reads the client's options; the native side checks URLs, headers and certificates. @param {unknown} options */
function readClientOptions(options) {
  const given = checkOptions(options, OPTIONS.httpClient);
  if (given === undefined) throw wrongType('options', 'an object with a baseUrl', options);
  return {
    native: {
      baseUrl: readText('options.baseUrl', given.baseUrl),
      style: optionalText(given, 'style'),
      apiKey: optionalText(given, 'apiKey'),
      headers: headersOf(given.headers),
      ...proxiesOf(given.proxy),
      connectTimeoutMs: optionalInteger(given, 'connectTimeoutMs', 1, MAX_MS),
      readTimeoutMs: optionalInteger(given, 'readTimeoutMs', 1, MAX_MS),
      totalTimeoutMs: optionalInteger(given, 'totalTimeoutMs', 1, MAX_MS),
      maxRetries: optionalInteger(given, 'maxRetries', 0, MAX_RETRIES),
      maxRetryDelayMs: optionalInteger(given, 'maxRetryDelayMs', 0, MAX_MS),
      maxResponseBytes: optionalInteger(given, 'maxResponseBytes', 1, MAX_RESPONSE_BYTES),
      caCertificates: certificatesOf(given.caCertificates),
      anthropicVersion: optionalText(given, 'anthropicVersion'),
    },
    model: optionalText(given, 'model'),
    /** False: never sent. @type {number | false | undefined} */
    temperature: given.temperature === false ? false : optional(readAmount, 'options.temperature', given.temperature),
    body: checkedBody('options.body', given.body),
    language: optional(readLanguage, 'options.language', given.language),
  };
}

/** @param {Given} given @param {string} key */
function optionalText(given, key) {
  return optional(readText, `options.${key}`, given[key]);
}

/** @param {Given} given @param {string} key @param {number} least @param {number} most */
function optionalInteger(given, key, least, most) {
  return optional(readInteger, `options.${key}`, given[key], least, most);
}

/** @param {unknown} headers @returns {string[]} names and values in turn */
function headersOf(headers) {
  if (headers === undefined || headers === null) return [];
  if (typeof headers !== 'object' || Array.isArray(headers)) {
    throw wrongType('options.headers', 'an object of strings', headers);
  }
  return Object.entries(headers).flatMap(([name, given]) => {
    const value = optional(readText, 'options.headers', given, 'an object of strings');
    return value === undefined ? [] : [name, value];
  });
}

/** Reads `process.env` at construction, because this thread's variables may have been set after the start. @param {unknown} proxy */
function proxiesOf(proxy) {
  if (proxy === false) return {};
  if (typeof proxy === 'string') return { httpProxy: proxy, httpsProxy: proxy };
  if (proxy !== undefined && proxy !== null) throw wrongType('options.proxy', 'a URL or false', proxy);
  const all = environmentVariable('all_proxy');
  return {
    // In a CGI script, HTTP_PROXY is the request's `Proxy` header, so a requester could redirect responses.
    httpProxy: process.env.http_proxy || (process.env.REQUEST_METHOD ? undefined : process.env.HTTP_PROXY) || all,
    httpsProxy: environmentVariable('https_proxy') || all,
    noProxy: environmentVariable('no_proxy'),
  };
}

/** In lower or upper case; undefined if it is empty. @param {string} name */
function environmentVariable(name) {
  return process.env[name] || process.env[name.toUpperCase()] || undefined;
}

/** @param {unknown} certificates @returns {string[]} */
function certificatesOf(certificates) {
  if (certificates === undefined || certificates === null) return [];
  const list = Array.isArray(certificates) ? certificates : [certificates];
  checkLength('options.caCertificates', list);
  return Array.from(list, (pem) => readText('options.caCertificates', pem, 'PEM as a string, or an array of them'));
}

/** @param {string} name @param {unknown} body @returns {Record<string, unknown> | undefined} */
function checkedBody(name, body) {
  if (body === undefined || body === null) return undefined;
  if (typeof body !== 'object' || Array.isArray(body)) throw wrongType(name, 'an object', body);
  return /** @type {Record<string, unknown>} */ (body);
}

/** @param {unknown} given @param {Defaults} defaults the client's options @returns {{ text: string, signal: AbortSignal | undefined }} `text`: the request as JSON */
function readRequest(given, defaults) {
  const request = readOptions('request', given, OPTIONS.httpRequest);
  const { name, value } = firstGiven(request, ['signal', 'abortSignal']);
  const signal = optional(readSignal, name, value);
  const model = readText('model', request.model ?? defaults.model, 'a string, here or in the options');
  if (model === '') throw outOfRange('model', 'a name', 'an empty string');
  const limit = firstGiven(request, ['maxTokens', 'max_tokens', 'max_completion_tokens']);
  const temperature = optional(readAmount, 'temperature', request.temperature) ?? defaults.temperature;
  const fields = {
    model,
    messages: messagesOf(request.messages),
    max_tokens: optional(readInteger, limit.name, limit.value, 1, Number.MAX_SAFE_INTEGER),
    // With `false` in the client's options, it is never sent.
    temperature: defaults.temperature === false ? undefined : temperature,
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
 * The first of several names of an option that is set; applications spell these options differently.
 * @param {Record<string, unknown>} request @param {[string, ...string[]]} names
 */
function firstGiven(request, names) {
  const name = names.find((name) => request[name] !== undefined && request[name] !== null) ?? names[0];
  return { name, value: request[name] };
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

module.exports = { readClientOptions, readRequest };
