// @ts-check
'use strict';

const native = require('../native.js');
const { once } = require('../once.js');
const { dialectOrChat } = require('../messages/choice.js');
const { copyOf } = require('../messages/copy.js');
const { cutTexts } = require('../messages/cut-texts.js');
const { formOf } = require('../messages/form.js');
const { Stamp } = require('../messages/stamp.js');

/**
 * A message without the binary data in its tool results' texts. Images in the provider's own image format stay.
 * @typedef {{ message: any, before: readonly string[], after: readonly string[] }} WithoutBinary
 *
 * To detect a change, a message with text content and no binary data is compared by content and role; all others by a stamp.
 * @typedef {{ content: unknown, role: unknown, stamp: InstanceType<typeof Stamp> | undefined, forced: string | undefined,
 *   result: WithoutBinary | null }} Known
 */

/** Results by message, cached because every request contains the earlier messages. @type {WeakMap<object, Known>} */
const known = new WeakMap();

const threshold = once(() => native.binaryDataRules().sizeThreshold);

/**
 * A copy of `message` with a placeholder for binary data that its tool results hold as text (base64 and data URLs in longer text, in JSON, in lists
 * of bytes), and the texts before and after; null if nothing changes. The copy is the same as long as the message is unchanged.
 * @param {any} message @param {import('../messages/choice.js').Forced} [forced] the dialect that the application named
 */
function binaryIn(message, forced) {
  if (typeof message !== 'object' || message === null) return null;
  try {
    if (forced === undefined && isPlainText(message)) return null;
    const before = known.get(message);
    if (before !== undefined && before.forced === forced && isAsItWas(message, before)) return before.result;
    const result = read(message, forced);
    const { content, role } = message;
    const stamp = result === null && typeof content === 'string' ? undefined : new Stamp(message);
    known.set(message, { content, role, stamp, forced, result });
    return result;
  } catch {
    // A getter or a proxy throws: the message stays unchanged.
    return null;
  }
}

/** True for a chat message without a result, or with a short one: most messages, and looking one up takes longer. @param {any} message */
function isPlainText(message) {
  const { role, content } = message;
  if (formOf(message) !== null) return false;
  return (role !== 'tool' && role !== 'function') || (typeof content === 'string' && content.length <= threshold());
}

/** @param {any} message @param {Known} before */
function isAsItWas(message, { content, role, stamp }) {
  return stamp === undefined ? message.content === content && message.role === role : stamp.mayBeUnchanged(message);
}

/** @param {any} message @param {import('../messages/choice.js').Forced} forced @returns {WithoutBinary | null} */
function read(message, forced) {
  const dialect = dialectOrChat(message, forced);
  /** @type {string[]} */ const before = [];
  /** @type {string[]} */ const after = [];
  const changes = cutTexts(message, dialect, (text, isOutput) => {
    const shorter = isOutput && text.length > threshold() ? (native.withoutBinaryRuns(text) ?? text) : text;
    if (shorter !== text) {
      before.push(text);
      after.push(shorter);
    }
    return shorter;
  });
  if (before.length === 0) return null;
  const copy =
    dialect.fieldAccess === undefined ? copyOf(message, changes) : dialect.fieldAccess.copy(message, [], changes);
  return { message: copy, before, after };
}

module.exports = { binaryIn };
