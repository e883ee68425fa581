// @ts-check
'use strict';

/** Converts text to parts: a compression writes a string, and a prompt needs parts. @param {any} message */
function asPrompt(message) {
  if (typeof message?.content !== 'string' || message.role === 'system') return message;
  return { ...message, content: [{ type: 'text', text: message.content }] };
}

module.exports = { asPrompt };
