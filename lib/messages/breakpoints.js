// @ts-check
'use strict';

const { isList } = require('../lists.js');
const { isSystem } = require('./speaker.js');

/** Finds what the places of cache marks depend on: blocks, system prompt, and the marks that the host has set. */

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

/** Whether Anthropic is told to cache up to this message, or a part of it. @param {any} message @returns {boolean} */
function isMarked(message) {
  const { content } = message;
  return isMark(message) || (isList(content) && content.some((part) => isMark(part) || isResultMarked(part)));
}

/** @param {any} part */
function isResultMarked(part) {
  return part?.type === 'tool_result' && isList(part.content) && part.content.some(isMark);
}

/** @param {any} holder a message, or a part of one; of the AI SDK's, it says so among its provider's options */
function isMark(holder) {
  if (holder === null || typeof holder !== 'object') return false;
  const own = holder.providerOptions?.anthropic ?? holder.additional_kwargs ?? holder;
  return Boolean(own.cache_control ?? own.cacheControl);
}

/** The API refuses a request with more. */
const MOST_MARKS = 4;
/** Hosts mark the end of their system prompt, and the newest messages. */
const FIRST_MESSAGES = 4;
const NEWEST_MESSAGES = 16;

/**
 * The prefixes that the host has marked itself, in messages.
 * @param {readonly any[]} messages
 * @returns {number[]} ascending
 */
function hostMarks(messages) {
  const marks = [];
  for (let index = 0; index < messages.length; index++) {
    if (index === FIRST_MESSAGES) index = Math.max(index, messages.length - NEWEST_MESSAGES);
    try {
      if (isMarked(messages[index])) marks.push(index + 1);
    } catch {
      // A message that can't be read has no mark that anybody would see.
    }
  }
  return marks;
}

module.exports = { MOST_MARKS, blocksIn, hostMarks, leadingSystem };
