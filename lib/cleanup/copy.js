// @ts-check
'use strict';

const { copyOfList } = require('../lists.js');
const { copyOf } = require('../messages/copy.js');
const { isPlainData } = require('../plain-data.js');

/** @typedef {InstanceType<typeof import('./conversation.js').Conversation>} Conversation */

/**
 * A copy of the array with a copy of each replaced message: the fast path for a conversation of chat messages. Messages are never written to:
 * applications store the same objects, and a write would corrupt their session file. A message that can't be copied is excluded, and the others
 * are decided again.
 * @param {readonly any[]} messages the messages that `conversation` decided about
 * @param {Conversation} conversation
 * @param {number} now
 * @returns {any[]}
 */
function withCopies(messages, conversation, now) {
  const { plain } = conversation;
  let { decision } = conversation;
  let array = copyOfList(messages);
  for (let edit = 0; edit < decision.editCount; edit++) {
    const index = decision.rowOf(edit);
    const message = array[index];
    const content = decision.texts[edit];
    try {
      // For plain data, the spread is a complete copy and can't throw.
      if (plain[index] !== message && isPlainData(message)) plain[index] = message;
      array[index] = plain[index] === message ? { ...message, content } : copyOf(message, { content });
    } catch {
      // A proxy or an accessor threw: start over.
      decision = conversation.excludeRow(index, now);
      [array, edit] = [copyOfList(messages), -1];
    }
  }
  return array;
}

module.exports = { withCopies };
