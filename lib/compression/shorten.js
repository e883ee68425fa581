// @ts-check
'use strict';

const { numbersOf, readMessage } = require('../tokens/message.js');
const { withContent } = require('./copies.js');
const { THINKING_PARTS } = require('./transcript.js');

/**
 * A copy of `message` with its texts cut to about `maxTokens` in all; the message itself when nothing can be cut.
 * What isn't text (images, calls, thinking) stays. The core decides what is left of each text.
 * @param {any} message
 * @param {number} maxTokens with the chat format and all
 * @param {InstanceType<typeof import('../native.js').TokenModel>} model
 */
function shortened(message, maxTokens, model) {
  try {
    const found = textsIn(message.content, message.role === 'tool');
    const texts = found.map(({ text }) => text);
    const outputs = Float64Array.from(found, ({ isOutput }) => Number(isOutput));
    const cut = model.shortenTexts(texts, outputs, maxTokens - tokensWithout(message, texts.length, model));
    if (cut.every((text) => text === null)) return message;
    const next = cut.map((text, index) => text ?? /** @type {string} */ (texts[index]));
    return withContent(message, withTexts(message.content, next));
  } catch {
    return message;
  }
}

/**
 * What a message takes besides its texts.
 * @param {any} message
 * @param {number} texts how many it has
 * @param {InstanceType<typeof import('../native.js').TokenModel>} model
 */
function tokensWithout(message, texts, model) {
  const content = withTexts(message.content, new Array(texts).fill(''));
  const found = readMessage({
    content,
    reasoning_content: message.reasoning_content,
    refusal: message.refusal,
    name: message.name,
    tool_calls: message.tool_calls,
    function_call: message.function_call,
    images: message.images,
  });
  return model.countMessage(found.texts, found.images, numbersOf(found), Number.POSITIVE_INFINITY);
}

/**
 * The texts in the order in which {@link withTexts} puts them back. An empty one is none: it can't become shorter.
 * @param {any} content
 * @param {boolean} isOutput whether a tool has written it
 * @returns {{ text: string, isOutput: boolean }[]}
 */
function textsIn(content, isOutput) {
  if (typeof content === 'string') return content === '' ? [] : [{ text: content, isOutput }];
  if (!Array.isArray(content)) return [];
  return content.flatMap((part) => {
    if (typeof part === 'string') return textsIn(part, isOutput);
    if (part?.type === 'tool_result') return textsIn(part.content, true);
    return isOpen(part) ? textsIn(part.text, isOutput) : [];
  });
}

/** @param {any} content @param {string[]} texts taken from the front @returns {any} */
function withTexts(content, texts) {
  if (typeof content === 'string') return content === '' ? content : texts.shift();
  if (!Array.isArray(content)) return content;
  return content.map((/** @type {any} */ part) => {
    if (typeof part === 'string') return withTexts(part, texts);
    if (part?.type === 'tool_result') return { ...part, content: withTexts(part.content, texts) };
    return isOpen(part) ? { ...part, text: withTexts(part.text, texts) } : part;
  });
}

/** Whether the part has a text of its own that no provider wants back as it was. @param {any} part */
function isOpen(part) {
  return typeof part?.text === 'string' && !THINKING_PARTS.has(part.type);
}

module.exports = { shortened };
