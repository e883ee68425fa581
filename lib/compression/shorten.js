// @ts-check
'use strict';

const { dialectOrChat } = require('../messages/choice.js');
const { cutTexts } = require('../messages/cut-texts.js');
const { copyWith } = require('../messages/message-fields.js');
const { countOf, readMessage } = require('../tokens/message.js');
const { withChanges } = require('./copies.js');

/**
 * A copy of `message` with its texts cut to about `maxTokens`, format included; the message itself if nothing can be cut. Images, calls and
 * thinking stay. The core decides which part of each text stays.
 * @param {any} message @param {number} maxTokens @param {InstanceType<typeof import('../native.js').TokenModel>} model
 * @param {import('../messages/choice.js').Forced} [forced]
 */
function shortened(message, maxTokens, model, forced) {
  try {
    const dialect = dialectOrChat(message, forced);
    /** @type {string[]} */ const texts = [];
    /** For each text, 1 if it is a tool's output. @type {number[]} */ const isOutputFlags = [];
    const emptied = cutTexts(message, dialect, (text, isOutput) => {
      texts.push(text);
      isOutputFlags.push(Number(isOutput));
      return '';
    });
    const withoutTexts = readMessage(copyWith(message, [], emptied), forced);
    const tokensForTexts = maxTokens - countOf(model, withoutTexts, Number.POSITIVE_INFINITY);
    const cutOrNull = model.shortenTexts(texts, Float64Array.from(isOutputFlags), tokensForTexts);
    if (cutOrNull.every((text) => text === null)) return message;
    let next = 0;
    const changes = cutTexts(message, dialect, (text) => cutOrNull[next++] ?? text);
    return withChanges(message, changes);
  } catch {
    return message;
  }
}

module.exports = { shortened };
