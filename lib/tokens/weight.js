// @ts-check
'use strict';

const native = require('../native.js');
const { once } = require('../once.js');
const { readMessage } = require('./message.js');
const { countEachO200k } = require('./o200k.js');

/** `message`, `call`, `media`: the tokens of each in addition to its texts. */
const constants = once(() => native.viewWeights());

/** The part of a text that is counted: for a long text, evenly spaced windows of it. @param {string} text */
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

/**
 * The tokens of each text, estimated for long texts. All are counted in one call.
 * @param {readonly string[]} texts
 * @param {boolean} [isCoarse] estimate from their bytes, without a vocabulary
 * @returns {number[]}
 */
function weightsOfTexts(texts, isCoarse = false) {
  if (texts.length === 0) return [];
  const { windowUnits, cutTokens, bytesPerToken } = constants();
  if (isCoarse) return texts.map((text) => Buffer.byteLength(text) / bytesPerToken);
  const samples = texts.map(sampleOf);
  const counts = countEachO200k(samples.map(({ text }) => text));
  return samples.map(({ windows }, at) => {
    const counted = /** @type {number} */ (counts[at]);
    if (windows === 0) return counted;
    // In a run of one character, such as a ruler, the windows split no token.
    const tokens = Math.max(counted / 2, counted - windows * cutTokens);
    return (tokens * /** @type {string} */ (texts[at]).length) / (windows * windowUnits);
  });
}

/** @param {string} text @returns {number} */
function weightOfText(text) {
  return /** @type {number} */ (weightsOfTexts([text])[0]);
}

/**
 * The weights of messages as they are sent, in tokens. Never throws.
 * @param {readonly any[]} messages anything that an application may put into its array
 * @param {boolean} [isCoarse]
 * @param {(text: string, tokens: number, at: number) => void} [note] called for each text of message `at`
 * @returns {number[]}
 */
function weightsOf(messages, isCoarse, note) {
  const { message: own, call, media } = constants();
  // Not `map`, which skips the holes of a sparse array: these would weigh NaN, and so would the bill.
  const found = Array.from(messages, (message) =>
    message === null || message === undefined ? null : readMessage(message),
  );
  // Texts are weighed separately, so that replacing a result saves exactly what it adds to the sum.
  const weights = weightsOfTexts(
    found.flatMap((each) => each?.texts ?? []),
    isCoarse,
  );
  let next = 0;
  return found.map((each, at) => {
    if (each === null) return 0;
    let tokens = own + each.toolCalls * call + (each.images.length + each.pdfBytes.length) * media;
    for (const text of each.texts) {
      const weight = /** @type {number} */ (weights[next++]);
      note?.(text, weight, at);
      tokens += weight;
    }
    return tokens;
  });
}

/** @param {any} message @param {boolean} [isCoarse] @returns {number} */
function weightOf(message, isCoarse) {
  return /** @type {number} */ (weightsOf([message], isCoarse)[0]);
}

module.exports = { constants, weightOf, weightOfText, weightsOf, weightsOfTexts };
