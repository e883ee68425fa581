// @ts-check
'use strict';

const { checkLength, checkOptions, isGiven, optional, readAmount, readArray } = require('../arguments.js');
const { readInteger, readLanguage, readObject, readOptions, readSignal, readText } = require('../arguments.js');
const { OPTIONS } = require('../option-names.js');
const { wrongType, invalidArgument, outOfRange } = require('../errors.js');
const { jsonText } = require('../plain-data.js');

/**
 * Reads the options of a client, and each of its requests.
 * @typedef {Pick<ReturnType<typeof readClientOptions>, 'model' | 'temperature' | 'body'>} Defaults
 */

/** Upper limit of the options in milliseconds: one day. */ const MAX_MS = 86_400_000;

/** Reads the client's options; the native side checks URLs, headers and certificates. @param {unknown} options */
function readClientOptions(options) {
  const given = checkOptions(options, OPTIONS.httpClient);
  if (given === undefined) throw wrongType('options', 'an object with a baseUrl', options);
  const text = (/** @type {string} */ key) => optional(readText, `options.${key}`, given[key]);
  const integer = (/** @type {string} */ key, /** @type {number} */ min, /** @type {number} */ max) =>
    optional(readInteger, `options.${key}`, given[key], min, max);
  return {
    native: {
      baseUrl: readText('options.baseUrl', given.baseUrl),
      style: text('style'),
      apiKey: text('apiKey'),
      headers: headersOf(given.headers),
      ...proxiesOf(given.proxy),
      connectTimeoutMs: integer('connectTimeoutMs', 1, MAX_MS),
      readTimeoutMs: integer('readTimeoutMs', 1, MAX_MS),
      totalTimeoutMs: integer('totalTimeoutMs', 1, MAX_MS),
      maxRetries: integer('maxRetries', 0, 20),
      maxRetryDelayMs: integer('maxRetryDelayMs', 0, MAX_MS),
      maxResponseBytes: integer('maxResponseBytes', 1, 2 ** 30),
      caCertificates: certificatesOf(given.caCertificates),
      anthropicVersion: text('anthropicVersion'),
    },
    model: text('model'),
    /** False: never sent. @type {number | false | undefined} */
    temperature: given.temperature === false ? false : optional(readAmount, 'options.temperature', given.temperature),
    body: optional(readFields, 'options.body', given.body),
    language: optional(readLanguage, 'options.language', given.language),
  };
}

/** @param {unknown} headers @returns {string[]} names and values in turn */
function headersOf(headers) {
  const expected = 'an object of strings';
  const given = Object.entries(optional(readFields, 'options.headers', headers, expected) ?? {});
  const set = given.filter(([, value]) => isGiven(value));
  return set.flatMap(([name, value]) => [name, readText('options.headers', value, expected)]);
}

/** @param {string} name @param {any} value @param {string} [expected] @returns {Record<string, unknown>} */
function readFields(name, value, expected = 'an object') {
  if (typeof value !== 'object' || Array.isArray(value)) throw wrongType(name, expected, value);
  return value;
}

/** Reads `process.env` at construction, because this thread's variables may have been set after the start. @param {unknown} proxy */
function proxiesOf(proxy) {
  if (proxy === false) return {};
  if (typeof proxy === 'string') return { httpProxy: proxy, httpsProxy: proxy };
  if (isGiven(proxy)) throw wrongType('options.proxy', 'a URL or false', proxy);
  const { env } = process;
  const all = env.all_proxy || env.ALL_PROXY || undefined;
  return {
    // In a CGI script, HTTP_PROXY is the request's `Proxy` header, so a requester could redirect responses.
    httpProxy: env.http_proxy || (env.REQUEST_METHOD ? undefined : env.HTTP_PROXY) || all,
    httpsProxy: env.https_proxy || env.HTTPS_PROXY || all,
    noProxy: env.no_proxy || env.NO_PROXY || undefined,
  };
}

/** @param {unknown} certificates @returns {string[]} */
function certificatesOf(certificates) {
  const list = Array.isArray(certificates) ? certificates : [certificates].filter(isGiven);
  checkLength('options.caCertificates', list);
  return Array.from(list, (pem) => readText('options.caCertificates', pem, 'PEM as a string, or an array of them'));
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
  const messages = readArray('messages', request.messages);
  if (messages.length === 0) throw outOfRange('messages', 'at least one message', 'an empty array');
  for (const message of messages) readObject('messages', message, 'an array of objects');
  const fields = {
    model,
    messages,
    max_tokens: optional(readInteger, limit.name, limit.value, 1, Number.MAX_SAFE_INTEGER),
    // With `false` in the client's options, it is never sent.
    temperature: defaults.temperature === false ? undefined : temperature,
    body: { ...defaults.body, ...optional(readFields, 'body', request.body) },
  };
  try {
    return { text: /** @type {string} */ (jsonText(fields)), signal };
  } catch (cause) {
    const reasons = 'a cycle, a bigint, a getter that throws or millions of values';
    throw invalidArgument(`request: expected what JSON can hold, got ${reasons}`, cause);
  }
}

/** The first of several spellings of an option that is set. @param {Record<string, unknown>} request @param {[string, ...string[]]} names */
function firstGiven(request, names) {
  const name = names.find((each) => isGiven(request[each])) ?? names[0];
  return { name, value: request[name] };
}

module.exports = { readClientOptions, readRequest };
