// @ts-check
'use strict';

const native = require('../native.js');
const { readArray } = require('../arguments.js');
const { isThenable, wrongType } = require('../errors.js');
const { printedError, printedText } = require('../printed-text.js');
const { findReplacements } = require('./binary-values.js');
const { copyWithReplacements } = require('./copy-on-write.js');
const { isMcpResult, mcpText } = require('./mcp-result.js');
const { defaultRules } = require('./sanitize.js');

/** Writes results of tool calls as one text for a model, without binary data. @param {readonly unknown[]} results @returns {string} */
function formatToolResultForModel(results) {
  return native.formatResults(Array.from(readArray('results', results), textsOf));
}

/** The fields of a result as texts. @param {unknown} value @param {number} index */
function textsOf(value, index) {
  if (isThenable(value)) throw wrongType(`results[${index}]`, 'a tool result', value);
  const result = /** @type {Record<string, unknown>} */ (value ?? {});
  if (isMcpResult(result)) return textsOfMcp(result);
  const { toolCallId, success, output, error, metadata } = result;
  const { imagePath, filePath, generationTimeMs } = /** @type {Record<string, unknown>} */ (metadata ?? {});
  return {
    id: printedText(toolCallId),
    success: Boolean(success),
    output: output ? printed(output) : undefined,
    error: error ? withoutRuns(printedError(withoutBinary(error))) : undefined,
    imagePath: imagePath ? printed(imagePath) : undefined,
    filePath: filePath ? printed(filePath) : undefined,
    generationTimeMs: generationTimeMs ? printed(generationTimeMs) : undefined,
  };
}

/** The same for an MCP server's result. @param {Record<string, unknown>} result */
function textsOfMcp(result) {
  const { toolCallId, tool_call_id, toolUseId, tool_use_id, isError } = result;
  const id = toolCallId ?? tool_call_id ?? toolUseId ?? tool_use_id;
  const text = mcpText(result, printed) || undefined;
  const success = isError !== true;
  return {
    id: id === undefined ? undefined : printedText(id),
    success,
    output: success ? text : undefined,
    error: success ? undefined : text,
  };
}

/** A value as text without binary data. @param {unknown} value */
function printed(value) {
  return withoutRuns(printedText(withoutBinary(value)));
}

/** Removes binary data that only becomes text by printing, such as bytes. @param {string} text */
function withoutRuns(text) {
  return native.withoutBinaryRuns(text) ?? text;
}

/** Removes binary data, but keeps bytes that are text: a command's output may be a `Buffer`. @param {unknown} value @returns {unknown} */
function withoutBinary(value) {
  if (typeof value !== 'object' || value === null) return value;
  const holder = { value };
  return copyWithReplacements(holder, findReplacements(holder, defaultRules(), { staysBytes: isText })).value;
}

/** True if bytes are UTF-8 text. @param {any} bytes */
function isText(bytes) {
  try {
    return !new TextDecoder('utf-8', { fatal: true }).decode(bytes).includes('\0');
  } catch {
    return false;
  }
}

module.exports = { formatToolResultForModel };
