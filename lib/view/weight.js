// @ts-check
'use strict';

const { argumentsOf, calleeOf, callsOf, nameOf } = require('../messages/chat.js');
const native = require('../native.js');
const { readMessage } = require('../tokens/message.js');

/** @type {import('../../binding.js').JsWeights | undefined} */
let weights;

function loaded() {
  weights ??= native.viewWeights();
  return weights;
}

/**
 * What a text weighs, in tokens, from a sample of its units: counting them would cost more than all else that a view does.
 * @param {string} text
 */
function weightOfText(text) {
  const { units, sampleUnits } = loaded();
  const { length } = text;
  const beyond = /** @type {number} */ (units[128]);
  const looks = Math.min(length, sampleUnits);
  const step = length / looks;
  let sum = 0;
  for (let look = 0; look < looks; look++) {
    const unit = text.charCodeAt(Math.floor(look * step));
    sum += unit < 128 ? /** @type {number} */ (units[unit]) : beyond;
  }
  return looks === 0 ? 0 : sum * step;
}

/**
 * What a message weighs as it is sent, in tokens. Never throws.
 * @param {any} message anything a host may put into its array
 * @returns {number}
 */
function weightOf(message) {
  try {
    if (message === null || message === undefined) return 0;
    const { content, role } = message;
    const isPlain = typeof content === 'string' && typeof role === 'string' && message.images === undefined;
    if (!isPlain) return weightOfParts(message);
    const { message: own, call } = loaded();
    let weight = own + weightOfText(content);
    for (const declared of callsOf(message) ?? []) {
      const callee = calleeOf(declared);
      const name = nameOf(callee);
      weight += call + weightOfText(argumentsOf(callee) ?? '') + (typeof name === 'string' ? weightOfText(name) : 0);
    }
    return weight;
  } catch {
    return loaded().message;
  }
}

/** @param {any} message */
function weightOfParts(message) {
  const { message: own, call, media } = loaded();
  const { texts, images, pdfBytes, toolCalls } = readMessage(message);
  const held = texts.reduce((sum, text) => sum + weightOfText(text), 0);
  return own + held + toolCalls * call + (images.length + pdfBytes.length) * media;
}

/** What an image or a file in a result weighs. */
function weightOfMedia() {
  return loaded().media;
}

module.exports = { weightOf, weightOfMedia, weightOfText };
