// @ts-check
'use strict';

/**
 * A shallow copy of `message` with another content; the message itself is only read. Hosts store the same
 * objects that they send: writing to one would corrupt their session file.
 *
 * @template {object} T
 * @param {T} message
 * @param {string} content
 * @param {InstanceType<typeof import('./row.js').Row>} row remembers which object was found to be plain data
 * @returns {T}
 * @throws whatever a proxy or an accessor throws
 */
function copyWithContent(message, content, row) {
  if (row.plain === message) return { ...message, content };
  if (isPlainData(message)) {
    row.plain = message;
    return { ...message, content };
  }
  const properties = Object.getOwnPropertyDescriptors(message);
  const enumerable = Object.getOwnPropertyDescriptor(message, 'content')?.enumerable ?? true;
  Object.defineProperty(properties, 'content', {
    value: { value: content, writable: true, enumerable, configurable: true },
    writable: true,
    enumerable: true,
    configurable: true,
  });
  return Object.create(Object.getPrototypeOf(message), properties);
}

/**
 * True when `{...message}` is a faithful copy: no prototype of its own, no accessor, nothing hidden.
 * @param {object} message
 */
function isPlainData(message) {
  if (Object.getPrototypeOf(message) !== Object.prototype) return false;
  for (const key of Reflect.ownKeys(message)) {
    const property = Object.getOwnPropertyDescriptor(message, key);
    if (property === undefined || !property.enumerable || !('value' in property)) return false;
  }
  return true;
}

module.exports = { copyWithContent };
