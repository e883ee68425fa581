// @ts-check
'use strict';

const { dialectFor } = require('./choice.js');

/**
 * Whether the model has made the message, or the item of an answer that is a message of its own.
 * @param {any} message
 * @returns {boolean}
 */
function isAnswer(message) {
  try {
    if (message === null || typeof message !== 'object') return false;
    const { role } = message;
    if (typeof role === 'string') return role === 'assistant' || role === 'model';
    return dialectFor(message)?.isAnswer?.(message) ?? false;
  } catch {
    // A message that can't be read is nobody's answer.
    return false;
  }
}

module.exports = { isAnswer };
