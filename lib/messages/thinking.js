// @ts-check
'use strict';

/** Detects parts that a provider requires unchanged: the model's thinking, and signed parts. */

const THINKING_PARTS = new Set(['thinking', 'redacted_thinking', 'reasoning']);
const SIGNATURES = ['signature', 'thoughtSignature', 'thought_signature', 'textSignature'];
const THINKING_FIELDS = [
  ...['thinking', 'thinking_blocks', 'redacted_thinking'],
  ...['reasoning_content', 'reasoningContent', 'reasoning', 'reasoning_details'],
  ...SIGNATURES,
];

/** @param {any} part an object */
function isThinking(part) {
  return THINKING_PARTS.has(part.type);
}

/** True if the part has a text that the provider lets be changed. @param {any} part an object */
function isTextEditable(part) {
  return typeof part.text === 'string' && !isThinking(part) && part.thought !== true && !hasAny(part, SIGNATURES);
}

/** True if a message has thinking outside its content. @param {any} message */
function hasThinkingFields(message) {
  return hasAny(message, THINKING_FIELDS);
}

/** @param {any} object @param {readonly string[]} fields */
function hasAny(object, fields) {
  return fields.some((field) => object[field] !== undefined && object[field] !== null);
}

module.exports = { hasThinkingFields, isTextEditable, isThinking };
