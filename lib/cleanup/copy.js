// @ts-check
'use strict';

const { copyOf } = require('../messages/copy.js');
const { isPlainData } = require('../plain-data.js');
const { replaceSlots } = require('../slots.js');
const { EDIT_NUMBERS } = require('./wire.js');

/**
 * @typedef {InstanceType<typeof import('./conversation.js').Conversation>} Conversation
 * @typedef {InstanceType<typeof import('./conversation.js').Decision>} Decision
 */

/**
 * Puts the decision's copies into the slots of `target`, all or none.
 *
 * Copies are shallow; the messages themselves are only read: hosts store the same objects that they send, and
 * writing to one would corrupt their session file.
 * @param {any[]} target holds what `conversation` decided on
 * @param {Conversation} conversation
 * @param {number} now
 */
function placeCopies(target, conversation, now) {
  while (!allPlain(target, conversation)) {
    const refused = firstRefused(target, conversation);
    if (refused === undefined) return;
    // It can't be copied (a proxy or an accessor throws): decide again without it.
    conversation.leaveAlone(refused, now);
  }
  const { decision, engine } = conversation;
  const { edits, texts } = decision;
  const indices = [];
  const copies = [];
  for (let edit = 0, at = 0; at < edits.length; edit++, at += EDIT_NUMBERS) {
    const index = /** @type {number} */ (edits[at]);
    const content = engine.placeholders[/** @type {number} */ (edits[at + 1])] ?? texts?.[edit];
    indices.push(index);
    copies.push({ ...target[index], content });
  }
  replaceSlots(target, indices, copies);
}

/**
 * Whether every message to copy is plain data, so that `{...message}` is faithful and can't throw.
 * @param {readonly any[]} messages
 * @param {Conversation} conversation
 */
function allPlain(messages, { plain, decision: { edits } }) {
  for (let at = 0; at < edits.length; at += EDIT_NUMBERS) {
    const index = /** @type {number} */ (edits[at]);
    const message = messages[index];
    if (plain[index] === message) continue;
    try {
      if (!isPlainData(message)) return false;
    } catch {
      return false;
    }
    plain[index] = message;
  }
  return true;
}

/**
 * For messages that are more than plain data: makes all copies, then places them. Returns the first message
 * that can't be copied, and then nothing was placed.
 * @param {any[]} target
 * @param {Conversation} conversation
 */
function firstRefused(target, conversation) {
  const { edits } = conversation.decision;
  const indices = [];
  const copies = [];
  for (let edit = 0, at = 0; at < edits.length; edit++, at += EDIT_NUMBERS) {
    const index = /** @type {number} */ (edits[at]);
    try {
      copies.push(copyWithContent(target[index], conversation.textOf(edit)));
    } catch {
      return index;
    }
    indices.push(index);
  }
  replaceSlots(target, indices, copies);
  return undefined;
}

/**
 * A shallow copy of `message` with another content; prototype, symbols, accessors and hidden properties come
 * along.
 * @template {object} T
 * @param {T} message
 * @param {string} content
 * @returns {T}
 * @throws whatever a proxy or an accessor throws
 */
function copyWithContent(message, content) {
  return copyOf(message, { content });
}

module.exports = { copyWithContent, placeCopies };
