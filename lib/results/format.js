// @ts-check
'use strict';

const native = require('../native.js');
const { readArray } = require('../arguments.js');

/** The most elements that all arrays of an output may have together; an array that is reached twice counts twice. */
const MOST_PLACES = 1_000_000;

/**
 * @param {readonly unknown[]} results
 * @returns {string}
 */
function formatToolResultForModel(results) {
  return native.formatResults(Array.from(readArray('results', results), textsOf));
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
    if (hasEnd(value)) return String(value);
  } catch {
    // As below.
  }
  return Object.prototype.toString.call(value);
}

/**
 * Whether an array can be printed: one of four billion elements, or of arrays that share others, would never be done.
 * @param {unknown} value
 */
function hasEnd(value) {
  let places = 0;
  const pending = [value];
  for (let next = pending.pop(); next !== undefined || pending.length > 0; next = pending.pop()) {
    if (!Array.isArray(next)) continue;
    places += next.length;
    if (places > MOST_PLACES) return false;
    for (let index = 0; index < next.length; index++) if (typeof next[index] === 'object') pending.push(next[index]);
  }
  return true;
}

module.exports = { formatToolResultForModel };
