// @ts-check
'use strict';

const { isList } = require('../lists.js');
const { isSystem } = require('./role.js');

/** Finds what the places of cache breakpoints depend on: blocks, the system prompt, and the application's own breakpoints. */

/** Count of messages at the start that are the system prompt. @param {readonly any[]} messages */
function leadingSystem(messages) {
  let system = 0;
  while (system < messages.length && isSystem(messages[system])) system++;
  return system;
}

/** Count of a message's blocks in Anthropic's sense. @param {any} message as it is sent @returns {number} */
function blocksIn(message) {
  try {
    return isList(message?.content) ? Math.max(1, message.content.length) : 1;
  } catch {
    return 1;
  }
}

/** True if the message or a part of it has a cache breakpoint. @param {any} message @returns {boolean} */
function hasBreakpoint(message) {
  const { content } = message;
  const isInPart = (/** @type {any} */ part) => isBreakpoint(part) || hasBreakpointInResult(part);
  return isBreakpoint(message) || (isList(content) && content.some(isInPart));
}

/** @param {any} part */
function hasBreakpointInResult(part) {
  return part?.type === 'tool_result' && isList(part.content) && part.content.some(isBreakpoint);
}

/** @param {any} holder a message or a part of one; the AI SDK has breakpoints in `providerOptions` */
function isBreakpoint(holder) {
  if (holder === null || typeof holder !== 'object') return false;
  const own = holder.providerOptions?.anthropic ?? holder.additional_kwargs ?? holder;
  return Boolean(own.cache_control ?? own.cacheControl);
}

/** Maximum of breakpoints that Anthropic accepts in a request. */
const MAX_BREAKPOINTS = 4;
/** Applications set breakpoints at the end of the system prompt and on the newest messages. */
const FIRST_MESSAGES = 4;
const NEWEST_MESSAGES = 16;

/**
 * Lengths of the prefixes that end at the application's own breakpoints, in messages.
 * @param {readonly any[]} messages
 * @returns {number[]} ascending
 */
function applicationBreakpoints(messages) {
  const lengths = [];
  for (let index = 0; index < messages.length; index++) {
    if (index === FIRST_MESSAGES) index = Math.max(index, messages.length - NEWEST_MESSAGES);
    try {
      if (hasBreakpoint(messages[index])) lengths.push(index + 1);
    } catch {
      // A breakpoint on an unreadable message has no effect.
    }
  }
  return lengths;
}

module.exports = { MAX_BREAKPOINTS, applicationBreakpoints, blocksIn, leadingSystem };
