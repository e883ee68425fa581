// @ts-check
'use strict';

const { copyOf } = require('../messages/copy.js');
const { isPlainData } = require('../plain-data.js');

/** @typedef {InstanceType<typeof import('./conversation.js').Conversation>} Conversation */

/**
 * Copies of the replaced messages: the fast path for a conversation of chat messages. Messages are never written to: applications store the same
 * objects, and a write would corrupt their session file. A message that can't be copied is excluded, and the others are decided again.
 * @param {readonly any[]} messages the messages that `conversation` decided about
 * @param {Conversation} conversation
 * @param {number} now
 * @returns {{ indices: number[], copies: any[] }}
 */
function copiesOf(messages, conversation, now) {
  const { plain } = conversation;
  let { decision } = conversation;
  const indices = [];
  const copies = [];
  for (let edit = 0; edit < decision.editCount; edit++) {
    const index = decision.rowOf(edit);
    const message = messages[index];
    const content = decision.texts[edit];
    try {
      // For plain data, the spread is a complete copy and can't throw.
      if (plain[index] !== message && isPlainData(message)) plain[index] = message;
      copies.push(plain[index] === message ? { ...message, content } : copyOf(message, { content }));
      indices.push(index);
    } catch {
      // A proxy or an accessor threw: start over.
      decision = conversation.leaveAlone(index, now);
      [indices.length, copies.length, edit] = [0, 0, -1];
    }
  }
  return { indices, copies };
}

module.exports = { copiesOf };
