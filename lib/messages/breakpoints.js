// @ts-check
'use strict';

const { isList } = require('../lists.js');
const { safely } = require('../plain-data.js');
const { isSystem } = require('./message-fields.js');

/** Count of messages at the start that are the system prompt. @param {readonly any[]} messages */
function leadingSystem(messages) {
  let count = 0;
  while (count < messages.length && isSystem(messages[count])) count++;
  return count;
}

/** Count of content blocks: Anthropic looks back a limited number of them for a cached prefix. @param {any} message as it is sent @returns {number} */
const blockCountOf = (message) =>
  safely(() => (isList(message?.content) ? Math.max(1, message.content.length) : 1)) ?? 1;

/** True if the message, a part of it or a part of a result has a cache breakpoint. @param {any} message @returns {boolean} */
function hasBreakpoint(message) {
  /** @type {any[]} */ const parts = isList(message.content) ? message.content : [];
  const results = parts.filter((part) => part?.type === 'tool_result' && isList(part.content));
  return [message, ...parts, ...results.flatMap(({ content }) => content)].some(isBreakpoint);
}

/** The AI SDK has breakpoints in `providerOptions`, LangChain in `additional_kwargs`. @param {any} value a message or a part of one */
function isBreakpoint(value) {
  if (value === null || typeof value !== 'object') return false;
  const options = value.providerOptions?.anthropic ?? value.additional_kwargs ?? value;
  return Boolean(options.cache_control ?? options.cacheControl);
}

/** Maximum of breakpoints that Anthropic accepts in a request. */ const MAX_BREAKPOINTS = 4;
/** Only these messages are searched: applications set breakpoints at the end of the system prompt and on the newest messages. */
const FIRST_MESSAGES = 4;
const NEWEST_MESSAGES = 16;

/** Lengths of the prefixes that end at the application's own breakpoints, in messages. @param {readonly any[]} messages @returns {number[]} ascending */
function applicationBreakpoints(messages) {
  const lengths = [];
  for (let index = 0; index < messages.length; index++) {
    if (index >= FIRST_MESSAGES && index < messages.length - NEWEST_MESSAGES) continue;
    // A breakpoint on an unreadable message has no effect.
    if (safely(() => hasBreakpoint(messages[index])) === true) lengths.push(index + 1);
  }
  return lengths;
}

module.exports = { MAX_BREAKPOINTS, applicationBreakpoints, blockCountOf, leadingSystem };
