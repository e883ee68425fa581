// @ts-check
'use strict';

const { dialectFor } = require('./choice.js');

/** The role of a message or item in its own dialect; undefined if it can't be read. @param {any} message @returns {string | undefined} */
function roleOf(message) {
  try {
    if (message === null || typeof message !== 'object') return undefined;
    const { role } = message;
    return typeof role === 'string' ? role : dialectFor(message)?.roleOf?.(message);
  } catch {
    return undefined;
  }
}

/** True for an assistant message, or an item of an assistant response. @param {any} message */
function isAssistant(message) {
  const role = roleOf(message);
  return role === 'assistant' || role === 'model';
}

/** True for a system message. @param {any} message */
function isSystem(message) {
  const role = roleOf(message);
  return role === 'system' || role === 'developer';
}

/** @param {any} message */
function isUser(message) {
  return roleOf(message) === 'user';
}

module.exports = { isAssistant, isSystem, isUser, roleOf };
