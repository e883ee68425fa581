// @ts-check
'use strict';

const { dialectOf } = require('./dialect.js');
const { CAMEL_CASE } = require('./chat.js');
const { formOf } = require('./form.js');
const { jsonText } = require('../json-text.js');
const { isList } = require('../lists.js');
const native = require('../native.js');
const { once } = require('../once.js');

/** Compares messages as a provider sees them, because applications pass clones of earlier messages. */

/** Values nested deeper than this are not compared: no provider accepts any. */
const MAX_DEPTH = 16;
/** More lists and objects than any message has. The limit stops at values that contain themselves. */
const MAX_VALUES = 2 ** 17;
/** Values that are written as JSON without counting them. */
const MAX_UNCOUNTED = 1024;

const chatFields = once(() => new Set([...native.requestFieldNames(), ...Object.keys(CAMEL_CASE), 'images']));

/**
 * True if two messages are the same to a provider; the application's own fields are ignored. O(message); false if one can't be read.
 * @param {any} a
 * @param {any} b
 */
function isSentAlike(a, b) {
  try {
    if (isClone(a, b, MAX_DEPTH)) return true;
    if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object') return false;
    if (Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) return false;
    const own = sentFields(a);
    const [one, other] = [providerViewOf(a), providerViewOf(b)];
    return sameFields(one, other, keysOf(one).filter(own), keysOf(other).filter(own), MAX_DEPTH);
  } catch {
    return false;
  }
}

/**
 * Fast path for applications that clone their messages for each request: true if plain data has equal values in the same order. False does not
 * mean that they differ.
 * @param {any} a
 * @param {any} b
 * @param {number} depth
 * @returns {boolean}
 */
function isClone(a, b, depth) {
  if (a === b) return true;
  if (depth === 0 || a === null || b === null || typeof a !== 'object' || typeof b !== 'object') return false;
  const prototype = Object.getPrototypeOf(a);
  if (prototype !== Object.getPrototypeOf(b)) return false;
  if (prototype === Array.prototype) {
    if (a.length !== b.length || !isList(a)) return false;
    for (let at = 0; at < a.length; at++) if (!isClone(a[at], b[at], depth - 1)) return false;
    return true;
  }
  if (prototype !== Object.prototype) return false;
  let keys = 0;
  for (const key in a) {
    // If the value is undefined, `b` may have another key instead.
    if (a[key] === undefined || !isClone(a[key], b[key], depth - 1)) return false;
    keys++;
  }
  for (const _ in b) keys--;
  return keys === 0;
}

/** Returns a test for the fields that a provider sees. @param {any} message @returns {(field: string) => boolean} */
function sentFields(message) {
  const form = formOf(message);
  if (form === null) {
    const sent = chatFields();
    return (field) => sent.has(field);
  }
  const dialect = dialectOf(form, message);
  const fields = dialect?.fields ?? null;
  const repeated = dialect?.repeated?.(message) ?? [];
  return (field) => (fields === null || fields.includes(field)) && !repeated.includes(field);
}

/** The message with only what a provider sees. @param {any} message */
function providerViewOf(message) {
  return dialectOf(formOf(message), message)?.providerView?.(message) ?? message;
}

/**
 * Cache breakpoints, which move from request to request, and Mastra's notes on when it stored a part, which it writes again when the application
 * passes the history.
 */
const UNSENT = new Set(['cache_control', 'cacheControl', 'mastra']);

/**
 * The fields to compare. Fields with value undefined don't count, because JSON omits them, nor do cache breakpoints and provider options with
 * nothing else.
 * @param {any} value
 */
function keysOf(value) {
  return Object.keys(value).filter((key) => {
    const held = value[key];
    return held !== undefined && !UNSENT.has(key) && !(OPTIONS.has(key) && isOnlyBreakpoints(held));
  });
}

/** Fields in which SDKs keep options for one provider. */
const OPTIONS = new Set(['providerOptions', 'providerMetadata', 'experimental_providerMetadata', 'anthropic']);

/** @param {any} options @returns {boolean} */
function isOnlyBreakpoints(options) {
  return options !== null && typeof options === 'object' && !Array.isArray(options) && keysOf(options).length === 0;
}

/** @param {any} a @param {any} b @param {string[]} keys @param {string[]} others @param {number} depth @returns {boolean} */
function sameFields(a, b, keys, others, depth) {
  if (keys.length !== others.length) return false;
  return keys.every((key) => Object.hasOwn(b, key) && sameValue(a[key], b[key], depth - 1));
}

/** @param {any} a @param {any} b @param {number} depth @returns {boolean} */
function sameValue(a, b, depth) {
  if (Object.is(a, b)) return true;
  if (depth === 0 || a === null || b === null) return false;
  if (typeof a === 'string' || typeof b === 'string') {
    const [one, other] = [onlyText(a), onlyText(b)];
    return one !== undefined && one === other;
  }
  if (typeof a !== 'object' || typeof b !== 'object') return false;
  if (ArrayBuffer.isView(a) || ArrayBuffer.isView(b)) return sameBytes(a, b);
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

/** Compares binary data by content: applications read an image again for each request. @param {any} a @param {any} b */
function sameBytes(a, b) {
  if (!ArrayBuffer.isView(a) || !ArrayBuffer.isView(b) || a.byteLength !== b.byteLength) return false;
  const [one, other] = [a, b].map(
    ({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength),
  );
  return one?.every((byte, at) => byte === other?.[at]) === true;
}

/** A hash, equal in any process for messages that are the same to a provider; null if JSON can't represent the message. @param {unknown} message */
function fingerprintOf(message) {
  try {
    const room = { values: MAX_VALUES, written: 0 };
    const value = canonical(message, room);
    // Counting while writing takes longer than the rest.
    const text = room.written < MAX_UNCOUNTED ? JSON.stringify(value) : jsonText(value);
    return native.textFingerprint(text ?? '');
  } catch {
    return null;
  }
}

/** `values`: lists and objects that are left; `written`: all values so far, infinite if that is unknown. @typedef {{ values: number, written: number }} Room */

/**
 * A message as a provider sees it, normalized: sorted keys, no cache breakpoints.
 * @param {any} message
 * @param {Room} room
 * @returns {unknown}
 */
function canonical(message, room) {
  if (message === null || typeof message !== 'object') return message;
  const own = sentFields(message);
  const seen = providerViewOf(message);
  const fields = keysOf(seen).filter(own).sort();
  room.written = fields.includes('toJSON') ? Number.POSITIVE_INFINITY : fields.length;
  return Object.fromEntries(fields.map((key) => [key, ordered(seen[key], room)]));
}

/** @param {any} value @param {Room} room @returns {unknown} @throws if it holds more values than `room` allows */
function ordered(value, room) {
  const text = onlyText(value);
  if (text !== undefined) return text;
  if (value === null || typeof value !== 'object') return value;
  if (--room.values < 0) throw new RangeError('more values than a message has');
  if (ArrayBuffer.isView(value)) {
    room.written += value.byteLength;
    return Array.from(new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
  }
  if (Array.isArray(value)) {
    room.written += value.length;
    return isList(value) ? value.map((part) => ordered(part, room)) : value;
  }
  if (typeof value.toJSON === 'function') {
    room.written = Number.POSITIVE_INFINITY;
    return value.toJSON();
  }
  const keys = keysOf(value).sort();
  room.written += keys.length;
  return Object.fromEntries(keys.map((key) => [key, ordered(value[key], room)]));
}

/**
 * Count of messages at the start that are the same to a provider.
 * @param {readonly any[]} a
 * @param {readonly any[]} b
 * @param {number} [from] count of messages at the start assumed to be the same
 */
function sharedBy(a, b, from = 0) {
  const end = Math.min(a.length, b.length);
  let shared = Math.min(from, end);
  while (shared < end && isSentAlike(a[shared], b[shared])) shared++;
  return shared;
}

/**
 * Count of `messages` at the start that have these fingerprints.
 * @param {readonly unknown[]} messages
 * @param {readonly (number | null)[]} fingerprints
 * @param {number} from count of messages at the start assumed to match
 */
function countMatching(messages, fingerprints, from) {
  const end = Math.min(messages.length, fingerprints.length);
  let count = Math.min(from, end);
  while (count < end && fingerprints[count] !== null && fingerprintOf(messages[count]) === fingerprints[count]) count++;
  return count;
}

module.exports = { countMatching, fingerprintOf, isSentAlike, sharedBy };
