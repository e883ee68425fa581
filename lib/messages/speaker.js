// @ts-check
'use strict';

const { dialectFor } = require('./choice.js');

/** Who speaks in a message or item, by the name of its own role; undefined for what can't be read. @param {any} message @returns {string | undefined} */
function speakerIn(message) {
  try {
    if (message === null || typeof message !== 'object') return undefined;
    const { role } = message;
    return typeof role === 'string' ? role : dialectFor(message)?.roleOf?.(message);
  } catch {
    return undefined;
  }
}

/** Whether the model has made the message, or the item of an answer that is a message of its own. @param {any} message */
function isAnswer(message) {
  const speaker = speakerIn(message);
  return speaker === 'assistant' || speaker === 'model';
}

/** Whether the message is the system prompt. @param {any} message */
function isSystem(message) {
  const speaker = speakerIn(message);
  return speaker === 'system' || speaker === 'developer';
}

/** Whether the user says it. @param {any} message */
function isUsers(message) {
  return speakerIn(message) === 'user';
}

module.exports = { isAnswer, isSystem, isUsers };
