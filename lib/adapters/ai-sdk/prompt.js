// @ts-check
'use strict';

/** A compression writes text as a string, and a prompt has text in parts. @param {any} message */
function asPrompt(message) {
  if (typeof message?.content !== 'string' || message.role === 'system') return message;
  return { ...message, content: [{ type: 'text', text: message.content }] };
}

module.exports = { asPrompt };
