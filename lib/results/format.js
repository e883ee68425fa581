// @ts-check
'use strict';

const native = require('../native.js');
const { readArray } = require('../arguments.js');
const { isThenable, wrongType } = require('../errors.js');
const { printedError, printedText } = require('../printed-text.js');
const { findReplacements, copyWithReplacements, unitsOfBytes } = require('./binary-values.js');
const { defaultRules } = require('./sanitize.js');
const { isList } = require('../lists.js');
const { fieldOf, isObject, safely } = require('../plain-data.js');

/** Writes results of tool calls as one text for a model, without binary data. @param {readonly unknown[]} results @returns {string} */
const formatToolResultForModel = (results) => native.formatResults(Array.from(readArray('results', results), textsOf));

/** The fields of a result as texts. @param {unknown} value @param {number} index */
function textsOf(value, index) {
  if (isThenable(value)) throw wrongType(`results[${index}]`, 'a tool result', value);
  const result = /** @type {Record<string, unknown>} */ (value ?? {});
  if (isMcpResult(result)) return textsOfMcp(result);
  const { toolCallId, success, output, error, metadata } = result;
  const { imagePath, filePath, generationTimeMs } = /** @type {Record<string, unknown>} */ (metadata ?? {});
  const printedIfSet = (/** @type {unknown} */ field) => (field ? printed(field) : undefined);
  return {
    id: printedText(toolCallId),
    success: Boolean(success),
    output: printedIfSet(output),
    error: error ? printed(error, printedError) : undefined,
    imagePath: printedIfSet(imagePath),
    filePath: printedIfSet(filePath),
    generationTimeMs: printedIfSet(generationTimeMs),
  };
}

/** The fields of an MCP server's result. @param {Record<string, unknown>} result */
function textsOfMcp(result) {
  const { toolCallId, tool_call_id, toolUseId, tool_use_id, isError } = result;
  const id = toolCallId ?? tool_call_id ?? toolUseId ?? tool_use_id;
  const success = isError !== true;
  const text = mcpText(result) || undefined;
  return { id: id === undefined ? id : printedText(id), success, [success ? 'output' : 'error']: text };
}

/** A value as text without binary data, except bytes that are text: a command's output may be a `Buffer`. @param {unknown} value @param {typeof printedText} [print] */
function printed(value, print = printedText) {
  const holder = { value };
  const withoutBinary = isObject(value)
    ? copyWithReplacements(holder, findReplacements(holder, defaultRules(), { keepsBytes: isText }))
    : holder;
  const text = print(withoutBinary.value);
  // Printing makes texts of lists of bytes, and a text may hold data URLs and base64.
  return native.withoutBinaryRuns(text) ?? text;
}

/** True if bytes are UTF-8 text. @param {any} bytes */
const isText = (bytes) =>
  safely(() => !new TextDecoder('utf-8', { fatal: true }).decode(bytes).includes('\0')) ?? false;

/** True for an MCP server's result, `{content: […], isError?}`: it has no `success`, and failed only if `isError` is set. @param {any} result */
function isMcpResult(result) {
  const has = (/** @type {string} */ field) => fieldOf(result, field) !== undefined;
  if (has('success') || has('output') || has('error')) return false;
  const content = fieldOf(result, 'content');
  return isList(content) || typeof content === 'string' || isObject(fieldOf(result, 'structuredContent'));
}

/** The text of an MCP result's blocks, joined by line breaks. Images and audio become placeholders. @param {any} result */
function mcpText(result) {
  const { content, structuredContent } = result;
  const blocks = isList(content) ? content : content === undefined ? [] : [content];
  const texts = blocks.map(blockText).filter((text) => text !== '');
  // Servers that send structured content repeat it as text for older clients.
  return texts.length > 0 || !isObject(structuredContent) ? texts.join('\n') : printed(structuredContent);
}

/** @param {any} block @returns {string} */
function blockText(block) {
  if (!isObject(block)) return printed(block);
  const { type, text, data, mimeType, resource, uri } = /** @type {any} */ (block);
  if (typeof text === 'string') return printed(text);
  if (type === 'image' || type === 'audio') return mediaText(mimeType ?? type, data);
  if (type === 'resource_link' && typeof uri === 'string') return uri;
  if (type !== 'resource' || !isObject(resource)) return printed(block);
  const content = /** @type {any} */ (resource);
  if (typeof content.text === 'string') return printed(content.text);
  return content.blob === undefined ? printed(content) : mediaText(content.uri ?? content.mimeType, content.blob);
}

/** The placeholder of media; only `[name]` if the media is small. @param {unknown} name @param {unknown} data */
function mediaText(name, data) {
  const size = typeof data === 'string' ? data.length : isObject(data) ? unitsOfBytes(data) : 0;
  // None of it is a link.
  const placeholder = native.binaryDataPlaceholder(size, size);
  return placeholder === null ? `[${name}]` : `${name}: ${placeholder}`;
}

module.exports = { formatToolResultForModel };
