// @ts-check
'use strict';

const { isPlainData } = require('../plain-data.js');
const { beforeOf } = require('./record.js');

/**
 * A shallow copy of `message` without the fields `without`, and with `changes`; prototype, symbols and hidden
 * properties come along. The message itself is only read.
 * @template {object} T
 * @param {T} message
 * @param {readonly string[]} without
 * @param {Record<string, unknown>} changes
 * @returns {T}
 * @throws whatever a proxy or an accessor throws
 */
function copyWith(message, without, changes) {
  if (isPlainData(message)) {
    const copy = /** @type {any} */ ({ ...message });
    for (const field of without) delete copy[field];
    // Defined, not assigned: a saved field may be called `__proto__`.
    for (const field of Object.keys(changes)) setOwn(copy, field, changes[field]);
    return copy;
  }
  const properties = Object.getOwnPropertyDescriptors(message);
  for (const field of without) delete (/** @type {any} */ (properties)[field]);
  for (const [field, value] of Object.entries(changes)) {
    const enumerable = Object.getOwnPropertyDescriptor(message, field)?.enumerable ?? true;
    setOwn(properties, field, { value, writable: true, enumerable, configurable: true });
  }
  return Object.create(Object.getPrototypeOf(message), properties);
}

/** @param {object} target @param {string} field @param {unknown} value */
function setOwn(target, field, value) {
  Object.defineProperty(target, field, { value, writable: true, enumerable: true, configurable: true });
}

/**
 * A copy without its usage statistics, which a compression makes untrue; the same message when it has none
 * (SPEC R7.7). What it had is kept beside, so that the history can be given back as it was.
 * @param {any} message
 * @param {readonly string[]} fields
 */
function withoutUsage(message, fields) {
  try {
    const present = fields.filter((field) => Object.hasOwn(message, field));
    if (present.length === 0) return message;
    const had = Object.fromEntries(present.map((field) => [field, message[field]]));
    return copyWith(message, present, { beforeCompression: remembering(message, had) });
  } catch {
    return message;
  }
}

/**
 * A copy with another content; the first one that it had is kept beside.
 * @param {any} message
 * @param {unknown} content
 */
function withContent(message, content) {
  const known = beforeOf(message)?.fields ?? {};
  const had = Object.hasOwn(known, 'content') ? {} : { content: message.content };
  return copyWith(message, [], { content, beforeCompression: remembering(message, had) });
}

/**
 * A copy that is repeated in front of the summary `id`.
 * @param {any} message
 * @param {string} id
 */
function pinnedCopy(message, id) {
  const { fields } = beforeOf(message) ?? {};
  return copyWith(message, [], { beforeCompression: { ...(fields && { fields }), pinnedBy: id } });
}

/**
 * A copy that is repeated beside the summary or notice `id` and goes with the next one.
 * @param {any} message
 * @param {string} id
 */
function carriedCopy(message, id) {
  const { fields } = beforeOf(message) ?? {};
  return copyWith(message, [], { beforeCompression: { ...(fields && { fields }), pinnedBy: id, carried: true } });
}

/** @param {any} message @param {Record<string, unknown>} had */
function remembering(message, had) {
  const before = beforeOf(message);
  return { ...before, fields: { ...before?.fields, ...had } };
}

/**
 * The message as it was before compressions changed it; the same one when none did.
 * @param {any} message
 */
function restored(message) {
  const before = beforeOf(message);
  if (before === undefined) return message;
  const { fields } = before;
  return copyWith(message, ['beforeCompression'], fields !== null && typeof fields === 'object' ? fields : {});
}

module.exports = { carriedCopy, copyWith, pinnedCopy, restored, withContent, withoutUsage };
