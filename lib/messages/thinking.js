// @ts-check
'use strict';

/** Detects parts that a provider requires unchanged: the model's thinking, and signed parts. */

const THINKING_PARTS = new Set(['thinking', 'redacted_thinking', 'reasoning']);
const SIGNATURES = ['signature', 'thoughtSignature', 'thought_signature', 'textSignature'];
const FIELDS = [
  ...['thinking', 'thinking_blocks', 'redacted_thinking'],
  ...['reasoning_content', 'reasoningContent', 'reasoning', 'reasoning_details'],
  ...SIGNATURES,
];

/** @param {any} part an object */
function isThinking(part) {
  return THINKING_PARTS.has(part.type);
}

/** True if a part's text may be changed. @param {any} part an object */
function isOpen(part) {
  return typeof part.text === 'string' && !isThinking(part) && part.thought !== true && !has(part, SIGNATURES);
}

/** True if a message has thinking outside its content. @param {any} message */
function hasThinkingFields(message) {
  return has(message, FIELDS);
}

/** @param {any} object @param {readonly string[]} fields */
function has(object, fields) {
  return fields.some((field) => object[field] !== undefined && object[field] !== null);
}

module.exports = { hasThinkingFields, isOpen, isThinking };
