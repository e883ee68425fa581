// @ts-check
'use strict';

const native = require('../native.js');
const { readMessage } = require('../tokens/message.js');
const { countO200k } = require('../tokens/o200k.js');

/** @type {import('../../binding.js').JsWeights | undefined} */
let weights;

function loaded() {
  weights ??= native.viewWeights();
  return weights;
}

/**
 * The tokens of a text; of a long text an estimate from windows that are cut out of it.
 * @param {string} text
 */
function weightOfText(text) {
  const { windowUnits, fewestWindows, mostWindows, unitsPerWindow, cutTokens } = loaded();
  const { length } = text;
  if (length <= fewestWindows * windowUnits) return length === 0 ? 0 : countO200k(text);
  const windows = Math.min(mostWindows, Math.max(fewestWindows, Math.ceil(length / unitsPerWindow)));
  const step = length / windows;
  const margin = (step - windowUnits) / 2;
  let sample = '';
  for (let window = 0; window < windows; window++) {
    const start = Math.floor(window * step + margin);
    sample += text.slice(start, start + windowUnits);
  }
  const counted = countO200k(sample);
  // In a run of one character, such as a ruler, the windows cut no token apart.
  const tokens = Math.max(counted / 2, counted - windows * cutTokens);
  return (tokens * length) / (windows * windowUnits);
}

/**
 * What a message weighs as it is sent, in tokens. Never throws.
 * @param {any} message anything a host may put into its array
 * @returns {number}
 */
function weightOf(message) {
  if (message === null || message === undefined) return 0;
  const { message: own, call, media } = loaded();
  const { texts, images, pdfBytes, toolCalls } = readMessage(message);
  // Texts are weighed one by one, so that a replaced result saves exactly what it adds to the sum.
  const held = texts.reduce((sum, text) => sum + weightOfText(text), 0);
  return own + held + toolCalls * call + (images.length + pdfBytes.length) * media;
}

/** What an image or a file in a result weighs. */
function weightOfMedia() {
  return loaded().media;
}

module.exports = { weightOf, weightOfMedia, weightOfText };
