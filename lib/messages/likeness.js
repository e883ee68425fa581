// @ts-check
'use strict';

const { dialectOf } = require('./choice.js');
const { CAMEL_CASE } = require('./chat.js');
const { formOf } = require('./form.js');
const { isObject, jsonText, safely } = require('../plain-data.js');
const { isList } = require('../lists.js');
const native = require('../native.js');
const { once } = require('../once.js');

/** Decides if two messages, such as clones, are the same to a provider, and hashes messages, to compare them with those of another process. */

/** Values nested deeper than this are not compared: no provider accepts any. */ const MAX_DEPTH = 16;
/** More lists and objects than any message has: stops at cycles. */ const MAX_OBJECTS = 2 ** 17;
/** Up to this many values are written as JSON without the limit of `jsonText`, whose counting takes longer than the writing. */
const MAX_UNCOUNTED = 1024;
/** Fields that may differ: cache breakpoints, which move from request to request, and Mastra's notes on when it stored a part. */
const IGNORED_FIELDS = new Set(['cache_control', 'cacheControl', 'mastra']);
/** Fields in which SDKs keep options for one provider. */
const OPTION_FIELDS = new Set(['providerOptions', 'providerMetadata', 'experimental_providerMetadata', 'anthropic']);

const chatFields = once(() => new Set([...native.requestFieldNames(), ...Object.keys(CAMEL_CASE), 'images']));

/** True if two messages are the same to a provider. O(message); false if one can't be read. @param {any} a @param {any} b */
function isSentAlike(a, b) {
  try {
    if (isClone(a, b, MAX_DEPTH)) return true;
    if (!isObject(a) || !isObject(b) || Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) return false;
    const isSent = sentFields(a);
    const [viewA, viewB] = [providerViewOf(a), providerViewOf(b)];
    return sameFields(viewA, viewB, keysOf(viewA).filter(isSent), keysOf(viewB).filter(isSent), MAX_DEPTH);
  } catch {
    return false;
  }
}

/** Fast path for applications that clone their messages: true if plain data has equal values in the same order. @param {any} a @param {any} b @param {number} depth @returns {boolean} false: they may still be the same to a provider */
function isClone(a, b, depth) {
  if (a === b) return true;
  if (depth === 0 || !isObject(a) || !isObject(b)) return false;
  const prototype = Object.getPrototypeOf(a);
  if (prototype !== Object.getPrototypeOf(b)) return false;
  if (prototype === Array.prototype) {
    if (a.length !== b.length || !isList(a)) return false;
    for (let index = 0; index < a.length; index++) if (!isClone(a[index], b[index], depth - 1)) return false;
    return true;
  }
  if (prototype !== Object.prototype) return false;
  let surplus = 0;
  for (const key in a) {
    // If the value is undefined, `b` may have another key instead.
    if (a[key] === undefined || !isClone(a[key], b[key], depth - 1)) return false;
    surplus++;
  }
  for (const _ in b) surplus--;
  return surplus === 0;
}

/** Returns a test for the fields that a provider sees. @param {any} message @returns {(field: string) => boolean} */
function sentFields(message) {
  const form = formOf(message);
  if (form === null) return (field) => chatFields().has(field);
  const dialect = dialectOf(form, message);
  const fields = dialect?.fields ?? null;
  const redundant = dialect?.redundantFields?.(message) ?? [];
  return (field) => (fields === null || fields.includes(field)) && !redundant.includes(field);
}

/** The message with only what a provider sees. @param {any} message */
const providerViewOf = (message) => dialectOf(formOf(message), message)?.providerView?.(message) ?? message;

/** The fields to compare: not undefined ones, which JSON omits, ignored ones, and provider options with nothing else. @param {any} value @returns {string[]} */
function keysOf(value) {
  return Object.keys(value).filter((key) => {
    const field = value[key];
    if (field === undefined || IGNORED_FIELDS.has(key)) return false;
    const isOptions = OPTION_FIELDS.has(key) && isObject(field) && !Array.isArray(field);
    return !isOptions || keysOf(field).length > 0;
  });
}

/** @param {any} a @param {any} b @param {string[]} keysA fields of `a` to compare @param {string[]} keysB @param {number} depth @returns {boolean} */
function sameFields(a, b, keysA, keysB, depth) {
  if (keysA.length !== keysB.length) return false;
  return keysA.every((key) => Object.hasOwn(b, key) && sameValue(a[key], b[key], depth - 1));
}

/** @param {any} a @param {any} b @param {number} depth @returns {boolean} */
function sameValue(a, b, depth) {
  if (Object.is(a, b)) return true;
  if (depth === 0) return false;
  if (typeof a === 'string' || typeof b === 'string') {
    const text = onlyText(a);
    return text !== undefined && text === onlyText(b);
  }
  if (!isObject(a) || !isObject(b)) return false;
  if (ArrayBuffer.isView(a) || ArrayBuffer.isView(b)) {
    // By content: applications read an image again for each request.
    if (!ArrayBuffer.isView(a) || !ArrayBuffer.isView(b) || a.byteLength !== b.byteLength) return false;
    const bytes = bytesOf(b);
    return bytesOf(a).every((byte, index) => byte === bytes[index]);
  }
  if (Array.isArray(a) !== Array.isArray(b) || a.length !== b.length) return false;
  return sameFields(a, b, keysOf(a), keysOf(b), depth);
}

/** A text, or the text of the only part of a list: applications write it so to set a cache breakpoint. @param {any} value */
function onlyText(value) {
  if (typeof value === 'string') return value;
  if (!Array.isArray(value) || value.length !== 1) return undefined;
  const [part] = value;
  if (part?.type !== 'text' || typeof part.text !== 'string') return undefined;
  return keysOf(part).length === 2 ? part.text : undefined;
}

/** @param {ArrayBufferView} view */
const bytesOf = ({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength);

/** A hash, equal in any process for messages that are the same to a provider; null if JSON can't represent the message. @param {unknown} message */
function fingerprintOf(message) {
  const text = safely(() => {
    const size = { objects: 0, values: 0 };
    const value = normalizedMessage(message, size);
    return (size.values < MAX_UNCOUNTED ? JSON.stringify(value) : jsonText(value)) ?? '';
  });
  return text === undefined ? null : native.textFingerprint(text);
}

/**
 * A message as a provider sees it, normalized: sorted keys, no cache breakpoints.
 * @typedef {{ objects: number, values: number }} Size counts so far: lists and objects; all values, infinite if that is unknown
 * @param {any} message @param {Size} size @returns {unknown}
 */
function normalizedMessage(message, size) {
  if (!isObject(message)) return message;
  const view = providerViewOf(message);
  const fields = keysOf(view).filter(sentFields(message)).sort();
  size.values = fields.includes('toJSON') ? Number.POSITIVE_INFINITY : fields.length;
  return Object.fromEntries(fields.map((field) => [field, normalized(view[field], size)]));
}

/** @param {any} value @param {Size} size @returns {unknown} @throws RangeError for more than {@link MAX_OBJECTS} */
function normalized(value, size) {
  const text = onlyText(value);
  if (text !== undefined) return text;
  if (!isObject(value)) return value;
  if (++size.objects > MAX_OBJECTS) throw new RangeError('more values than a message has');
  if (ArrayBuffer.isView(value)) {
    size.values += value.byteLength;
    return Array.from(bytesOf(value));
  }
  if (Array.isArray(value)) {
    size.values += value.length;
    return isList(value) ? value.map((part) => normalized(part, size)) : value;
  }
  if (typeof value.toJSON === 'function') {
    size.values = Number.POSITIVE_INFINITY;
    return value.toJSON();
  }
  const keys = keysOf(value).sort();
  size.values += keys.length;
  return Object.fromEntries(keys.map((key) => [key, normalized(value[key], size)]));
}

/** Count of messages at the start that are the same to a provider, as the first `from` are. @param {readonly any[]} a @param {readonly any[]} b @param {number} [from] */
function sharedBy(a, b, from = 0) {
  const end = Math.min(a.length, b.length);
  let shared = Math.min(from, end);
  while (shared < end && isSentAlike(a[shared], b[shared])) shared++;
  return shared;
}

/** Count of `messages` at the start with these fingerprints, as the first `from` have. @param {readonly unknown[]} messages @param {readonly (number | null)[]} fingerprints @param {number} from */
function countMatching(messages, fingerprints, from) {
  const end = Math.min(messages.length, fingerprints.length);
  let count = Math.min(from, end);
  while (count < end && fingerprints[count] !== null && fingerprintOf(messages[count]) === fingerprints[count]) count++;
  return count;
}

module.exports = { countMatching, fingerprintOf, isSentAlike, sharedBy };
