// @ts-check
'use strict';

const { dialectOf } = require('./dialect.js');
const { CAMEL_CASE } = require('./chat.js');
const { formOf } = require('./form.js');
const { jsonText } = require('../json-text.js');
const { isList } = require('../lists.js');
const native = require('../native.js');
const { once } = require('../once.js');

/** Tells whether two messages are the same to a provider: hosts pass clones of what they passed before. */

/** Values that are nested deeper than this are not compared: no provider takes any. */
const DEEPEST = 16;
/** No message holds so many lists and objects. One that holds the same ones again and again, or itself, has them without end. */
const MOST_VALUES = 2 ** 17;

const chatFields = once(() => new Set([...native.requestFieldNames(), ...Object.keys(CAMEL_CASE), 'images']));

/**
 * Whether two messages are the same to a provider. Fields of the host's own don't count. O(message); false where one
 * can't be read.
 * @param {any} a
 * @param {any} b
 */
function isSentAlike(a, b) {
  try {
    if (isClone(a, b, DEEPEST)) return true;
    if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object') return false;
    if (Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) return false;
    const own = sentFields(a);
    return sameFields(a, b, keysOf(a).filter(own), keysOf(b).filter(own), DEEPEST);
  } catch {
    return false;
  }
}

/**
 * Whether plain data holds the same in the same order, as in a host that clones its messages for each request: a fraction of the time
 * that it takes to look for what doesn't count. False says nothing.
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
    // Without a value in both, another key may stand in its place.
    if (a[key] === undefined || !isClone(a[key], b[key], depth - 1)) return false;
    keys++;
  }
  for (const _ in b) keys--;
  return keys === 0;
}

/** Says which fields of a message a provider sees. @param {any} message @returns {(field: string) => boolean} */
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

/**
 * Fields that say up to where a provider is to cache; they move from request to request. And Mastra's notes on when it has stored a
 * part, which it writes anew where the application gives the history.
 */
const UNSENT = new Set(['cache_control', 'cacheControl', 'mastra']);

/**
 * The fields that count: one with the value undefined is absent, because JSON leaves it out, and so is a mark for the cache,
 * with the options that hold nothing else.
 * @param {any} value
 */
function keysOf(value) {
  return Object.keys(value).filter((key) => {
    const held = value[key];
    return held !== undefined && !UNSENT.has(key) && !(OPTIONS.has(key) && isOnlyMarks(held));
  });
}

/** Where SDKs keep what is for one provider. */
const OPTIONS = new Set(['providerOptions', 'providerMetadata', 'experimental_providerMetadata', 'anthropic']);

/** @param {any} options @returns {boolean} */
function isOnlyMarks(options) {
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

/** A text, also where it is written as the only part: hosts do that to put a mark on it. @param {any} value */
function onlyText(value) {
  if (typeof value === 'string') return value;
  if (!Array.isArray(value) || value.length !== 1) return undefined;
  const [part] = value;
  if (part?.type !== 'text' || typeof part.text !== 'string') return undefined;
  return keysOf(part).length === 2 ? part.text : undefined;
}

/** Binary data is the same by its content: hosts read an image anew for each request. @param {any} a @param {any} b */
function sameBytes(a, b) {
  if (!ArrayBuffer.isView(a) || !ArrayBuffer.isView(b) || a.byteLength !== b.byteLength) return false;
  const [one, other] = [a, b].map(
    ({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength),
  );
  return one?.every((byte, at) => byte === other?.[at]) === true;
}

/** A number by which a message is known again, whoever has written its JSON; null for one that JSON can't hold. @param {unknown} message */
function fingerprintOf(message) {
  try {
    return native.textFingerprint(jsonText(canonical(message)) ?? '');
  } catch {
    return null;
  }
}

/**
 * What a provider sees of a message, in one form for all that are alike: keys in order, without marks for the cache.
 * @param {any} message
 * @returns {unknown}
 */
function canonical(message) {
  if (message === null || typeof message !== 'object') return message;
  const own = sentFields(message);
  const fields = keysOf(message).filter(own).sort();
  const room = { values: MOST_VALUES };
  return Object.fromEntries(fields.map((key) => [key, ordered(message[key], room)]));
}

/** @param {any} value @param {{ values: number }} room @returns {unknown} @throws where it holds more values than there is room for */
function ordered(value, room) {
  const text = onlyText(value);
  if (text !== undefined) return text;
  if (value === null || typeof value !== 'object') return value;
  if (--room.values < 0) throw new RangeError('more values than a message has');
  if (ArrayBuffer.isView(value)) {
    return Array.from(new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
  }
  if (Array.isArray(value) && !isList(value)) return value;
  if (!Array.isArray(value) && typeof value.toJSON === 'function') return value.toJSON();
  if (Array.isArray(value)) return value.map((part) => ordered(part, room));
  return Object.fromEntries(
    keysOf(value)
      .sort()
      .map((key) => [key, ordered(value[key], room)]),
  );
}

/**
 * How many messages at the start are the same to a provider.
 * @param {readonly any[]} a
 * @param {readonly any[]} b
 * @param {number} [from] so many are taken for the same
 */
function sharedBy(a, b, from = 0) {
  const end = Math.min(a.length, b.length);
  let shared = Math.min(from, end);
  while (shared < end && isSentAlike(a[shared], b[shared])) shared++;
  return shared;
}

module.exports = { fingerprintOf, isSentAlike, sharedBy };
