// @ts-check
'use strict';

const { copyOfList, isList } = require('../lists.js');
const { partsOf } = require('./parts.js');
const { isOpen } = require('./thinking.js');

/**
 * Shortens the texts of a message. Thinking, signed parts, calls and images stay.
 * @typedef {(text: string, isOutput: boolean) => string} Shorter returns the shorter text; `isOutput`: the text is a tool's output
 */

/**
 * A text or a list of parts, with shorter texts. Empty texts stay.
 * @param {any} content
 * @param {boolean} isOutput
 * @param {Shorter} shorter
 * @returns {any} parts without text are the same objects
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

/**
 * The fields of a message that may have texts, with each text shortened.
 * @param {any} message
 * @param {import('./choice.js').Dialect} dialect
 * @param {Shorter} shorter
 */
function cutTexts(message, dialect, shorter) {
  const { all, field, list } = partsOf(message, dialect);
  const cut = copyOfList(list);
  /** @type {Record<string, unknown>} */
  const fields = list.length > 0 ? { [field]: cut } : {};
  for (const part of all) {
    if (part.kind === 'content') fields[part.field] = cutContent(part.content, part.isOutput, shorter);
    else if (part.kind === 'part' && part.at >= 0) cut[part.at] = cutPart(part.content, false, shorter);
    // Output of the provider's own tools must be sent back unchanged.
    if (part.kind !== 'result' || part.isProviders) continue;
    const { at, held, form } = part;
    if (at >= 0) cut[at] = form.cut?.(cut[at], shorter) ?? cut[at];
    else fields[form.field ?? field] = form.cut?.(held, shorter) ?? cutContent(held, true, shorter);
  }
  return fields;
}

module.exports = { cutTexts, cutContent, cutPart };
