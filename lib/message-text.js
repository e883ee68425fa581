// @ts-check
'use strict';

/**
 * @param {unknown} value
 * @param {string} key
 * @returns {unknown}
 */
function field(value, key) {
  return typeof value === 'object' && value !== null ? /** @type {Record<string, unknown>} */ (value)[key] : undefined;
}

/**
 * The texts of a message as they are sent: content (a string or the text of its parts), `reasoning_content`,
 * tool call names and arguments. Image data is no text. What throws when it is read is passed over.
 * @param {unknown} message
 * @returns {string[]}
 */
function textsOf(message) {
  /** @type {string[]} */
  const texts = [];
  const add = (/** @type {unknown} */ text) => {
    if (typeof text === 'string') texts.push(text);
  };
  try {
    const content = field(message, 'content');
    add(content);
    if (Array.isArray(content)) for (const part of content) add(field(part, 'text'));
    add(field(message, 'reasoning_content'));
    const calls = field(message, 'tool_calls');
    if (!Array.isArray(calls)) return texts;
    for (const call of calls) {
      const declared = field(call, 'function');
      add(field(declared, 'name'));
      add(field(declared, 'arguments'));
    }
  } catch {
    // A throwing getter hides the rest of its message, as it does from the rules.
  }
  return texts;
}

module.exports = { textsOf };
