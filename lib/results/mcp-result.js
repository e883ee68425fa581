// @ts-check
'use strict';

const native = require('../native.js');
const { isList } = require('../lists.js');
const { isObject } = require('../plain-data.js');
const { countBytes } = require('./bytes.js');
const { fieldOf } = require('./walkable.js');

/**
 * True for an MCP server's result, `{content: […], isError?}`: it has no `success`, and failed only if `isError` is set.
 * @param {any} result @returns {boolean}
 */
function isMcpResult(result) {
  const has = (/** @type {string} */ field) => fieldOf(result, field) !== undefined;
  if (has('success') || has('output') || has('error')) return false;
  const content = fieldOf(result, 'content');
  return isList(content) || typeof content === 'string' || isObject(fieldOf(result, 'structuredContent'));
}

/**
 * The text of its blocks, joined by line breaks. Images and audio become placeholders.
 * @param {any} result @param {(value: unknown) => string} print any value, without binary data @returns {string}
 */
function mcpText(result, print) {
  const { content, structuredContent } = result;
  const blocks = isList(content) ? content : content === undefined ? [] : [content];
  const texts = blocks.map((block) => blockText(block, print)).filter((text) => text !== '');
  // Servers that send structured content repeat it as text for older clients.
  return texts.length > 0 || !isObject(structuredContent) ? texts.join('\n') : print(structuredContent);
}

/** The text of one block. @param {any} block @param {(value: unknown) => string} print @returns {string} */
function blockText(block, print) {
  if (!isObject(block)) return print(block);
  const { type, text, data, mimeType, resource, uri } = /** @type {any} */ (block);
  if (typeof text === 'string') return print(text);
  if (type === 'image' || type === 'audio') return mediaText(mimeType ?? type, data);
  if (type === 'resource_link' && typeof uri === 'string') return uri;
  if (type !== 'resource' || !isObject(resource)) return print(block);
  const content = /** @type {any} */ (resource);
  if (typeof content.text === 'string') return print(content.text);
  return content.blob === undefined ? print(content) : mediaText(content.uri ?? content.mimeType, content.blob);
}

/** The placeholder of media; its name alone if it is small. @param {unknown} name @param {unknown} data */
function mediaText(name, data) {
  const units = typeof data === 'string' ? data.length : isObject(data) ? countBytes(data) : 0;
  const placeholder = native.binaryDataPlaceholder(units, units);
  return placeholder === null ? `[${name}]` : `${name}: ${placeholder}`;
}

module.exports = { isMcpResult, mcpText };
