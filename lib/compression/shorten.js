// @ts-check
'use strict';

const { dialectOrChat } = require('../messages/choice.js');
const { cutTexts } = require('../messages/cut-texts.js');
const { copyWith } = require('../messages/own-fields.js');
const { countOf, readMessage } = require('../tokens/message.js');
const { withChanges } = require('./copies.js');

/**
 * A copy of `message` with its texts cut to about `maxTokens`, format included; the message itself if nothing can be cut. Images, calls and
 * thinking stay. The core decides which part of each text stays.
 * @param {any} message
 * @param {number} maxTokens
 * @param {InstanceType<typeof import('../native.js').TokenModel>} model
 * @param {import('../messages/choice.js').Forced} [forced]
 */
function shortened(message, maxTokens, model, forced) {
  try {
    const dialect = dialectOrChat(message, forced);
    /** @type {string[]} */ const texts = [];
    /** @type {number[]} */ const outputs = [];
    const without = cutTexts(message, dialect, (text, isOutput) => {
      texts.push(text);
      outputs.push(Number(isOutput));
      return '';
    });
    const rest = readMessage(copyWith(message, [], without), forced);
    const room = maxTokens - countOf(model, rest, Number.POSITIVE_INFINITY);
    const cut = model.shortenTexts(texts, Float64Array.from(outputs), room);
    if (cut.every((text) => text === null)) return message;
    let next = 0;
    return withChanges(
      message,
      cutTexts(message, dialect, (text) => cut[next++] ?? text),
    );
  } catch {
    return message;
  }
}

module.exports = { shortened };
