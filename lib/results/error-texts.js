// @ts-check
'use strict';

const { fieldOf, safely } = require('../plain-data.js');

/** Reads the texts and the HTTP status of an error of any client, in which the core looks for a context overflow. */

/** Fields in which axios and the SDKs keep the provider's text. Headers are excluded, because every response has `x-ratelimit-…`. */
const TEXT_FIELDS = 'cause error errors lastError response data body responseBody detail details choices'.split(' ');
/** `status` is an HTTP status in some errors, a name in others; `name` is the class of an error. */
const CODE_FIELDS = ['code', 'type', 'status', 'name'];
/** Fields with a response's stop reason: one provider ends a response this way if the window is full. */
const STOP_REASONS = ['stop_reason', 'stopReason', 'finish_reason'];
/** Fields with an error's HTTP status. */
const STATUS_FIELDS = ['status', 'statusCode', 'status_code', 'httpStatusCode', 'code'];
/** Objects that may hold the status instead of the error. */
const STATUS_HOLDERS = ['response', '$metadata', 'error', 'cause', 'lastError'];
/** Fields with a response body, of which everything may matter, including numbers next to the message. */
const BODY_FIELDS = new Set(['error', 'data', 'body', 'responseBody', 'detail', 'details']);
/** Maximum number of objects to visit: more than any client's nesting, because an error can reference a whole application. */
const MAX_OBJECTS = 64;
/** In UTF-16 units or bytes. Longer bodies are web pages, not errors. */ const MAX_BODY = 65_536;

/**
 * Strings that may contain a provider's message or code, outermost first. An object's own strings form one text, because a rate limit code must be
 * read together with a message that names the window. @param {unknown} error a string, an error or a response body
 */
function textsOfError(error) {
  /** @type {string[]} */ const texts = [];
  const seen = new Set();
  /** @type {{ value: unknown, isBody: boolean }[]} */
  const queue = [{ value: error, isBody: !isError(error) }];
  for (let next = queue.shift(); next !== undefined && seen.size < MAX_OBJECTS; next = queue.shift()) {
    const { value, isBody } = next;
    if (typeof value === 'string') texts.push(value);
    if (typeof value !== 'object' || value === null || seen.has(value)) continue;
    seen.add(value);
    if (ArrayBuffer.isView(value)) {
      const { buffer, byteOffset, byteLength } = value;
      if (byteLength <= MAX_BODY) texts.push(new TextDecoder().decode(new Uint8Array(buffer, byteOffset, byteLength)));
      continue;
    }
    texts.push(textFieldsOf(value));
    if (isError(value) || (isBody && fieldOf(value, 'headers') === undefined)) texts.push(jsonOf(value));
    if (Array.isArray(value)) queue.push(...value.slice(0, MAX_OBJECTS).map((inner) => ({ value: inner, isBody })));
    const message = fieldOf(value, 'message');
    // If it is a string, it is among the object's own strings.
    if (typeof message === 'object') queue.push({ value: message, isBody: false });
    for (const field of TEXT_FIELDS) queue.push({ value: fieldOf(value, field), isBody: BODY_FIELDS.has(field) });
  }
  return texts.filter((text) => text !== '');
}

/** Message and codes as one text. @param {object} object */
function textFieldsOf(object) {
  const texts = ['message', 'providerMessage', ...CODE_FIELDS].map((name) => fieldOf(object, name));
  const reasons = STOP_REASONS.map((name) => [name, fieldOf(object, name)]).filter(([, reason]) => isText(reason));
  return [...texts.filter(isText), ...reasons.map((reason) => reason.join(': '))].join('\n');
}

/** @param {unknown} value */
const isText = (value) => typeof value === 'string';

/** The HTTP status of an error, or of one that it wraps. @param {any} error @returns {number | undefined} */
function statusOf(error) {
  const holders = STATUS_HOLDERS.map((field) => fieldOf(error, field));
  const candidates = [error, ...holders.flatMap((holder) => [holder, fieldOf(holder, 'response')])];
  const values = candidates.flatMap((object) => STATUS_FIELDS.map((name) => fieldOf(object, name)));
  // Some clients write a status as text.
  const statuses = values.filter((value) => typeof value === 'number' || isText(value)).map(Number);
  return statuses.find((status) => status >= 100 && status < 600);
}

/** Message, names and numbers: other fields may hold a whole request, and a prompt that quotes an overflow is not one. @param {Error} error */
function ownFieldsOf(error) {
  const numbers = Object.getOwnPropertyNames(error).filter((name) => typeof fieldOf(error, name) === 'number');
  const fields = ['message', ...CODE_FIELDS, ...numbers].map((name) => [name, fieldOf(error, name)]);
  return Object.fromEntries(fields.filter(([, value]) => typeof value !== 'object' && typeof value !== 'function'));
}

/** A proxy may throw on access to its prototype. @param {unknown} value @returns {value is Error} */
const isError = (value) => safely(() => value instanceof Error) ?? false;

/** An object as JSON; empty if it is long, or no response body: a getter throws, or it holds a bigint. @param {object} body */
function jsonOf(body) {
  const text = safely(() => {
    const fields = isError(body) ? ownFieldsOf(body) : body;
    return isShort(fields) ? JSON.stringify(fields) : '';
  });
  return text !== undefined && text.length <= MAX_BODY ? text : '';
}

/** True if `body` is short as JSON, which for thirty levels of shared objects would take practically forever to write. @param {object} body */
function isShort(body) {
  let units = 0;
  /** @type {unknown[]} */ const unvisited = [body];
  while (unvisited.length > 0) {
    const value = unvisited.pop();
    units += typeof value === 'string' ? value.length : 1;
    if (Array.isArray(value)) units += value.length;
    if (ArrayBuffer.isView(value)) units += value.byteLength;
    if (units > MAX_BODY) return false;
    if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) unvisited.push(inner);
  }
  return true;
}

module.exports = { statusOf, textsOfError };
