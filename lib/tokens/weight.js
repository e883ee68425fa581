// @ts-check
'use strict';

const { isGiven } = require('../arguments.js');
const native = require('../native.js');
const { once } = require('../once.js');
const { readMessage } = require('./message.js');

/** Weights: estimated `o200k_base` tokens, not rounded, with which removals are planned. Long texts are sampled, so whole conversations are fast. */

const model = once(() => new native.TokenModel(undefined));
/** `message`, `call`, `media`: tokens of each in addition to its texts. */
const constants = once(() => native.viewWeights());

/** The part of a text that is counted: for a long text, evenly spaced windows. `windows`: their count, 0 for the whole text. @param {string} text */
function sampleOf(text) {
  const { windowUnits, fewestWindows, mostWindows, unitsPerWindow } = constants();
  const { length } = text;
  if (length <= fewestWindows * windowUnits) return { text, windows: 0 };
  const windows = Math.min(mostWindows, Math.max(fewestWindows, Math.ceil(length / unitsPerWindow)));
  const step = length / windows;
  const margin = (step - windowUnits) / 2;
  let sample = '';
  for (let window = 0; window < windows; window++) {
    const start = Math.floor(window * step + margin);
    sample += text.slice(start, start + windowUnits);
  }
  return { text: sample, windows };
}

/** In one call; long texts are estimated. @param {readonly string[]} texts @param {boolean} [isCoarse] estimate all from their bytes, without a vocabulary */
function weightsOfTexts(texts, isCoarse = false) {
  if (texts.length === 0) return [];
  const { windowUnits, cutTokens, bytesPerToken } = constants();
  if (isCoarse) return texts.map((text) => Buffer.byteLength(text) / bytesPerToken);
  const samples = texts.map(sampleOf);
  const counts = model().countEach(samples.map(({ text }) => text));
  return samples.map(({ windows }, index) => {
    const counted = /** @type {number} */ (counts[index]);
    if (windows === 0) return counted;
    // A window's edges split tokens, which adds `cutTokens`; at most half, because in a run of one character they split none.
    const sampled = Math.max(counted / 2, counted - windows * cutTokens);
    return (sampled * /** @type {string} */ (texts[index]).length) / (windows * windowUnits);
  });
}

/** The weight of one text. @param {string} text @returns {number} */
const weightOfText = (text) => /** @type {number} */ (weightsOfTexts([text])[0]);
/** Never throws. @param {readonly any[]} messages @param {boolean} [isCoarse] @param {(text: string, tokens: number, index: number) => void} [onText] of message `index` */
function weightsOf(messages, isCoarse, onText) {
  const { message: tokensPerMessage, call: tokensPerCall, media: tokensPerMedia } = constants();
  // Not `map`, which skips the holes of a sparse array: these would weigh NaN, and so would every sum.
  const countables = Array.from(messages, (message) => (isGiven(message) ? readMessage(message) : null));
  // Texts are weighed separately, so that replacing a result saves exactly what it adds to the sum.
  const texts = countables.flatMap((countable) => countable?.texts ?? []);
  const weights = weightsOfTexts(texts, isCoarse);
  let textIndex = 0;
  return countables.map((countable, index) => {
    if (countable === null) return 0;
    const mediaCount = countable.images.length + countable.pdfBytes.length;
    let tokens = tokensPerMessage + countable.toolCalls * tokensPerCall + mediaCount * tokensPerMedia;
    for (const text of countable.texts) {
      const weight = /** @type {number} */ (weights[textIndex++]);
      onText?.(text, weight, index);
      tokens += weight;
    }
    return tokens;
  });
}

/** The weight of one message. @param {any} message @param {boolean} [isCoarse] @returns {number} */
const weightOf = (message, isCoarse) => /** @type {number} */ (weightsOf([message], isCoarse)[0]);
/** The exact count in `o200k_base`, the unit of cleanup reports, whichever model the application uses. @param {string} text @returns {number} */
const countO200k = (text) => model().count(text);

module.exports = { constants, countO200k, weightOf, weightOfText, weightsOf, weightsOfTexts };
