// @ts-check
'use strict';

const { copyOf } = require('../messages/copy.js');
const { isPlainData } = require('../plain-data.js');
const { replaceSlots } = require('../slots.js');

/**
 * @typedef {InstanceType<typeof import('./conversation.js').Conversation>} Conversation
 * @typedef {InstanceType<typeof import('./conversation.js').Decision>} Decision
 */

/**
 * Puts copies into the application's array, all or none. Messages are never written to: applications store the same objects, and a write would
 * corrupt their session file.
 * @param {any[]} target the messages that `conversation` decided about
 * @param {Conversation} conversation
 * @param {number} now
 */
function placeCopies(target, conversation, now) {
  if (!canSpread(target, conversation, now)) return;
  const { decision } = conversation;
  const indices = [];
  const copies = [];
  for (let edit = 0; edit < decision.editCount; edit++) {
    const index = decision.rowOf(edit);
    indices.push(index);
    copies.push({ ...target[index], content: conversation.textOf(edit) });
  }
  replaceSlots(target, indices, copies);
}

/**
 * Like {@link placeCopies} for an array of our own. Nothing needs to be undone after an error.
 * @param {any[]} own @param {Conversation} conversation @param {number} now
 */
function placeOwnCopies(own, conversation, now) {
  if (!canSpread(own, conversation, now)) return;
  const { decision } = conversation;
  for (let edit = 0; edit < decision.editCount; edit++) {
    const index = decision.rowOf(edit);
    own[index] = { ...own[index], content: conversation.textOf(edit) };
  }
}

/**
 * True if all messages to copy are plain data. Otherwise this function places the copies.
 * @param {any[]} target @param {Conversation} conversation @param {number} now
 */
function canSpread(target, conversation, now) {
  while (!allPlain(target, conversation)) {
    const refused = firstRefused(target, conversation);
    if (refused === undefined) return false;
    // A proxy or an accessor threw: the core decides again without this message.
    conversation.leaveAlone(refused, now);
  }
  return true;
}

/** For plain data, `{...message}` is complete and can't throw. @param {readonly any[]} messages @param {Conversation} conversation */
function allPlain(messages, { plain, decision }) {
  for (let edit = 0; edit < decision.editCount; edit++) {
    const index = decision.rowOf(edit);
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
 * For messages that aren't plain data: makes all copies, then places them. Returns the first message that can't be copied; nothing is then placed.
 * @param {any[]} target @param {Conversation} conversation
 */
function firstRefused(target, conversation) {
  const { decision } = conversation;
  const indices = [];
  const copies = [];
  for (let edit = 0; edit < decision.editCount; edit++) {
    const index = decision.rowOf(edit);
    try {
      copies.push(copyOf(target[index], { content: conversation.textOf(edit) }));
    } catch {
      return index;
    }
    indices.push(index);
  }
  replaceSlots(target, indices, copies);
  return undefined;
}

module.exports = { placeCopies, placeOwnCopies };
