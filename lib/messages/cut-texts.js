// @ts-check
'use strict';

const { copyOfList, isList } = require('../lists.js');
const { partsOf, isTextEditable } = require('./parts.js');

/**
 * Shortens the texts of a message. Thinking, signed parts, calls and images stay.
 * @typedef {(text: string, isOutput: boolean) => string} Shorten returns the shorter text; `isOutput`: the text is a tool's output
 */

/**
 * A text or a list of parts, shortened. Parts without text are the same objects.
 * @param {any} content @param {boolean} isOutput @param {Shorten} shorten @returns {any}
 */
function cutContent(content, isOutput, shorten) {
  if (typeof content === 'string') return content === '' ? content : shorten(content, isOutput);
  if (!isList(content)) return content;
  return content.map((part) => cutPart(part, isOutput, shorten));
}

/** @param {any} part @param {boolean} isOutput @param {Shorten} shorten */
function cutPart(part, isOutput, shorten) {
  if (typeof part === 'string') return cutContent(part, isOutput, shorten);
  if (part === null || typeof part !== 'object' || !isTextEditable(part)) return part;
  return { ...part, text: cutContent(part.text, isOutput, shorten) };
}

/** The message's fields with texts, shortened. @param {any} message @param {import('./choice.js').Dialect} dialect @param {Shorten} shorten */
function cutTexts(message, dialect, shorten) {
  const { all, field, list } = partsOf(message, dialect);
  const cut = copyOfList(list);
  /** @type {Record<string, unknown>} */ const fields = list.length > 0 ? { [field]: cut } : {};
  for (const part of all) {
    if (part.kind === 'content') fields[part.field] = cutContent(part.content, part.isOutput, shorten);
    else if (part.kind === 'part' && part.at >= 0) cut[part.at] = cutPart(part.content, false, shorten);
    // Output of the provider's own tools must be sent back unchanged.
    if (part.kind !== 'result' || part.isProviders) continue;
    const { at, source, form } = part;
    if (at >= 0) cut[at] = form.cut?.(cut[at], shorten) ?? cut[at];
    else fields[form.field ?? field] = form.cut?.(source, shorten) ?? cutContent(source, true, shorten);
  }
  return fields;
}

module.exports = { cutTexts, cutContent, cutPart };
