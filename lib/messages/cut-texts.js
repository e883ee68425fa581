// @ts-check
'use strict';

const { isList } = require('../lists.js');
const { isOpen } = require('./thinking.js');

/**
 * Texts that may be shorter, and what stands in their place. Thinking, what is signed, calls and images stay.
 * @typedef {(text: string, isOutput: boolean) => string} Shorter what is left of a text; `isOutput`: a tool has written it
 */

/**
 * A text or a list of parts, with shorter texts. An empty text is none: it can't become shorter.
 * @param {any} content
 * @param {boolean} isOutput
 * @param {Shorter} shorter
 * @returns {any} by reference what has no text
 */
function cutContent(content, isOutput, shorter) {
  if (typeof content === 'string') return content === '' ? content : shorter(content, isOutput);
  if (!isList(content)) return content;
  return content.map((part) => cutPart(part, isOutput, shorter));
}

/** @param {any} part @param {boolean} isOutput @param {Shorter} shorter */
function cutPart(part, isOutput, shorter) {
  if (typeof part === 'string') return cutContent(part, isOutput, shorter);
  if (part === null || typeof part !== 'object' || !isOpen(part)) return part;
  return { ...part, text: cutContent(part.text, isOutput, shorter) };
}

module.exports = { cutContent, cutPart };
