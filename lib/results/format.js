// @ts-check
'use strict';

const native = require('../native.js');
const { checkLength } = require('../arguments.js');
const { wrongType } = require('../errors.js');

/**
 * @param {readonly unknown[]} results
 * @returns {string}
 */
function formatToolResultForModel(results) {
  if (!Array.isArray(results)) throw wrongType('results', 'an array', results);
  checkLength('results', results);
  return native.formatResults(Array.from(results, textsOf));
}

/** @param {unknown} result */
function textsOf(result) {
  const { toolCallId, success, output, error, metadata } = /** @type {Record<string, unknown>} */ (result ?? {});
  const { imagePath, filePath, generationTimeMs } = /** @type {Record<string, unknown>} */ (metadata ?? {});
  return {
    id: printed(toolCallId),
    success: Boolean(success),
    output: output ? printed(output) : undefined,
    error: error ? printed(error) : undefined,
    imagePath: imagePath ? printed(imagePath) : undefined,
    filePath: filePath ? printed(filePath) : undefined,
    generationTimeMs: generationTimeMs ? printed(generationTimeMs) : undefined,
  };
}

/**
 * As a template literal prints it; an object that can't be printed must not cost the model the other results.
 * @param {unknown} value
 */
function printed(value) {
  try {
    return String(value);
  } catch {
    return Object.prototype.toString.call(value);
  }
}

module.exports = { formatToolResultForModel };
