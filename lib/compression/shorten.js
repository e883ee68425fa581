// @ts-check
'use strict';

const { numbersOf, readMessage } = require('../tokens/message.js');
const { withContent } = require('./copies.js');

/** What stands where a text was cut at the hard limit. */
const MARKER = '\n…\n';
/** `keep` of `TokenModel.truncate`: start and end. */
const BOTH = 2;

/**
 * A copy of `message` with its texts cut to about `maxTokens` in all; the message itself when nothing can be cut.
 * What isn't text (images, calls) stays.
 * @param {any} message
 * @param {number} maxTokens with the chat format and all
 * @param {InstanceType<typeof import('../native.js').TokenModel>} model
 */
function shortened(message, maxTokens, model) {
  try {
    const texts = textsIn(message.content);
    const counts = texts.map((text) => model.count(text));
    const ofTexts = counts.reduce((sum, count) => sum + count, 0);
    const found = readMessage(message);
    const rest = model.countMessage(found.texts, found.images, numbersOf(found)) - ofTexts;
    const share = Math.max(0, maxTokens - rest) / Math.max(1, ofTexts);
    if (share >= 1) return message;
    const cut = texts.map((text, index) => {
      const limit = Math.floor(/** @type {number} */ (counts[index]) * share);
      return model.truncate(text, limit, BOTH, MARKER) ?? text;
    });
    return withContent(message, withTexts(message.content, cut));
  } catch {
    return message;
  }
}

/** @param {any} content @returns {string[]} in the order in which {@link withTexts} puts them back */
function textsIn(content) {
  if (typeof content === 'string') return [content];
  if (!Array.isArray(content)) return [];
  return content.flatMap((part) => {
    if (typeof part === 'string') return [part];
    if (part?.type === 'tool_result') return textsIn(part.content);
    return typeof part?.text === 'string' ? [part.text] : [];
  });
}

/** @param {any} content @param {string[]} texts taken from the front @returns {any} */
function withTexts(content, texts) {
  if (typeof content === 'string') return texts.shift();
  if (!Array.isArray(content)) return content;
  return content.map((/** @type {any} */ part) => {
    if (typeof part === 'string') return texts.shift();
    if (part?.type === 'tool_result') return { ...part, content: withTexts(part.content, texts) };
    return typeof part?.text === 'string' ? { ...part, text: texts.shift() } : part;
  });
}

module.exports = { shortened };
