// @ts-check
'use strict';

const { isList } = require('../lists.js');
const { dialectFor } = require('../messages/choice.js');

/** Finds what the places of cache marks depend on: blocks, system prompt, first message that may change. */

/** @param {any} message as it is sent @returns {boolean} */
function isSystem(message) {
  try {
    if (message === null || typeof message !== 'object') return false;
    const { role } = message;
    if (typeof role === 'string') return role === 'system' || role === 'developer';
    return dialectFor(message)?.isSystem?.(message) ?? false;
  } catch {
    return false;
  }
}

/** How many messages at the start are the system prompt. @param {readonly any[]} messages */
function leadingSystem(messages) {
  let system = 0;
  while (system < messages.length && isSystem(messages[system])) system++;
  return system;
}

/** How many blocks a message is to Anthropic. @param {any} message as it is sent @returns {number} */
function blocksIn(message) {
  try {
    return isList(message?.content) ? Math.max(1, message.content.length) : 1;
  } catch {
    return 1;
  }
}

/**
 * The first message, as it is sent, that may still change: one that waits, or the first result behind all that is replaced.
 * @param {InstanceType<typeof import('./projection.js').Projection>} projection
 * @returns {number} their number when none may
 */
function firstOpen({ applied, conversation, outcome, sent }) {
  const { layout, transcript } = conversation;
  const last = Math.max(-1, ...applied.replaced.keys());
  let row = last + 1;
  while (row < transcript.length && transcript.ids[row] === undefined) row++;
  const open = Math.min(row, ...applied.pending.keys());
  if (open >= transcript.length) return sent.length;
  const index = layout.ownerOf(open);
  if (outcome === null) return index;
  let place = index;
  for (const gone of outcome.gone) if (gone < index) place--;
  for (const [behind, messages] of outcome.inserted) if (behind < index) place += messages.length;
  return place;
}

module.exports = { blocksIn, firstOpen, leadingSystem };
