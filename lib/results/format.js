// @ts-check
'use strict';

const native = require('../native.js');
const { readArray } = require('../arguments.js');
const { isThenable, wrongType } = require('../errors.js');
const { printedError, printedText } = require('../printed-text.js');

/** @param {readonly unknown[]} results @returns {string} */
function formatToolResultForModel(results) {
  return native.formatResults(Array.from(readArray('results', results), textsOf));
}

/** @param {unknown} result @param {number} index */
function textsOf(result, index) {
  if (isThenable(result)) throw wrongType(`results[${index}]`, 'a tool result', result);
  const { toolCallId, success, output, error, metadata } = /** @type {Record<string, unknown>} */ (result ?? {});
  const { imagePath, filePath, generationTimeMs } = /** @type {Record<string, unknown>} */ (metadata ?? {});
  return {
    id: printedText(toolCallId),
    success: Boolean(success),
    output: output ? printedText(output) : undefined,
    error: error ? printedError(error) : undefined,
    imagePath: imagePath ? printedText(imagePath) : undefined,
    filePath: filePath ? printedText(filePath) : undefined,
    generationTimeMs: generationTimeMs ? printedText(generationTimeMs) : undefined,
  };
}

module.exports = { formatToolResultForModel };
