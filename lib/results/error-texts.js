// @ts-check
'use strict';

const { fieldOf } = require('./walkable.js');

/** Fields in which axios and the SDKs keep the provider's text. Headers are excluded, because every response has `x-ratelimit-…`. */
const PLACES = 'cause error errors lastError response data body responseBody detail details choices'.split(' ');

/** `status` is an HTTP status in some errors, a name in others; `name` is the class of an error. */
const NAMES = ['code', 'type', 'status', 'name'];

/** Fields with a response's stop reason: one provider ends a response this way if the window is full. */
const STOP_REASONS = ['stop_reason', 'stopReason', 'finish_reason'];

/** Fields with an error's HTTP status. */
const STATUSES = ['status', 'statusCode', 'status_code', 'httpStatusCode', 'code'];
/** Objects that may hold the status instead of the error. */
const STATUS_PLACES = ['response', '$metadata', 'error', 'cause', 'lastError'];

/** Fields with a response body, of which everything may matter, including numbers next to the message. */
const BODIES = new Set(['error', 'data', 'body', 'responseBody', 'detail', 'details']);

/** Maximum number of objects to visit: more than any client's nesting, because an error can reference a whole application. */
const MAX_OBJECTS = 64;

/** Longer bodies are web pages, not errors. */
const MAX_BODY = 65_536;

/**
 * Strings that may contain a provider's message or code, outermost first. An object's own strings form one text, because a rate limit code must be
 * read together with a message that names the window.
 * @param {unknown} error a string, an error or a response body @returns {string[]}
 */
function textsOfError(error) {
  /** @type {string[]} */ const texts = [];
  const seen = new Set();
  /** @type {{ value: unknown, isBody: boolean }[]} */
  const open = [{ value: error, isBody: !isError(error) }];
  for (let next = open.shift(); next !== undefined && seen.size < MAX_OBJECTS; next = open.shift()) {
    const { value, isBody } = next;
    if (typeof value === 'string') texts.push(value);
    if (typeof value !== 'object' || value === null || seen.has(value)) continue;
    seen.add(value);
    if (ArrayBuffer.isView(value)) {
      texts.push(decoded(value));
      continue;
    }
    texts.push(textFieldsOf(value));
    if (isError(value) || (isBody && fieldOf(value, 'headers') === undefined)) texts.push(written(value));
    if (Array.isArray(value)) open.push(...value.slice(0, MAX_OBJECTS).map((inner) => ({ value: inner, isBody })));
    // If `message` is a string, it is among the object's own strings.
    open.push({ value: objectIn(value, 'message'), isBody: false });
    for (const place of PLACES) open.push({ value: fieldOf(value, place), isBody: BODIES.has(place) });
  }
  return texts.filter((text) => text !== '');
}

/** Message and codes as one text. @param {object} object */
function textFieldsOf(object) {
  const words = ['message', 'providerMessage', ...NAMES].map((name) => fieldOf(object, name));
  const reasons = STOP_REASONS.map((name) => [name, fieldOf(object, name)]).filter(([, reason]) => isText(reason));
  return [...words.filter(isText), ...reasons.map((reason) => reason.join(': '))].join('\n');
}

/** @param {unknown} value */
function isText(value) {
  return typeof value === 'string';
}

/** Some clients write a status as text. @param {unknown} value */
function numberIn(value) {
  return typeof value === 'number' || typeof value === 'string' ? Number(value) : Number.NaN;
}

/** The HTTP status of an error, or of one that it wraps. @param {any} error @returns {number | undefined} */
function statusOf(error) {
  const nested = STATUS_PLACES.map((place) => fieldOf(error, place));
  /** @type {any[]} */ const all = [
    error,
    ...nested.flatMap((/** @type {any} */ inner) => [inner, fieldOf(inner, 'response')]),
  ];
  for (const object of all) {
    const found = STATUSES.map((name) => numberIn(fieldOf(object, name))).find(
      (status) => status >= 100 && status < 600,
    );
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Only an error's message, names and numbers: its other fields may hold a whole request, and a prompt that quotes an overflow is not one.
 * @param {Error} error
 */
function ownFieldsOf(error) {
  const numbers = Object.getOwnPropertyNames(error).filter((name) => typeof fieldOf(error, name) === 'number');
  return Object.fromEntries(['message', ...NAMES, ...numbers].map((name) => [name, scalarIn(error, name)]));
}

/** @param {unknown} value @returns {value is Error} */
function isError(value) {
  try {
    return value instanceof Error;
  } catch {
    // A proxy that throws on access to its prototype.
    return false;
  }
}

/** @param {object} object @param {string} name */
function scalarIn(object, name) {
  const value = fieldOf(object, name);
  return typeof value === 'object' || typeof value === 'function' ? undefined : value;
}

/** @param {object} object @param {string} name */
function objectIn(object, name) {
  const value = fieldOf(object, name);
  return typeof value === 'object' ? value : undefined;
}

/** @param {ArrayBufferView} bytes */
function decoded({ buffer, byteOffset, byteLength }) {
  return byteLength > MAX_BODY ? '' : new TextDecoder().decode(new Uint8Array(buffer, byteOffset, byteLength));
}

/** @param {object} body */
function written(body) {
  try {
    const fields = isError(body) ? ownFieldsOf(body) : body;
    if (!isShort(fields)) return '';
    const text = JSON.stringify(fields);
    return text !== undefined && text.length <= MAX_BODY ? text : '';
  } catch {
    // A getter threw, or the value holds a bigint: not a response body.
    return '';
  }
}

/**
 * True if `body` is short as JSON. Measured before writing it, because JSON of thirty levels of shared objects would take practically forever.
 * @param {object} body
 */
function isShort(body) {
  let units = 0;
  /** @type {unknown[]} */ const open = [body];
  while (open.length > 0) {
    const value = open.pop();
    units += typeof value === 'string' ? value.length : 1;
    if (Array.isArray(value)) units += value.length;
    if (ArrayBuffer.isView(value)) units += value.byteLength;
    if (units > MAX_BODY) return false;
    if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) open.push(inner);
  }
  return true;
}

module.exports = { statusOf, textsOfError };
