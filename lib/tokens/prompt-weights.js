// @ts-check
'use strict';

const { constants, weightsOf, weightsOfTexts } = require('./weight.js');

/**
 * @typedef {InstanceType<typeof import('../cleanup/conversation.js').Conversation>} Conversation
 * @typedef {InstanceType<typeof import('../cleanup/mending.js').Mending>} Mending
 */

/** Limit of the cache, because placeholders from templates may have any number of texts. */
const MAX_PLACEHOLDERS = 256;

/** The weights of messages and results in tokens. Each text is weighed once. */
class PromptWeights {
  #mending;
  /** By message: its weight as stored. @type {number[]} */ #stored = [];
  /** By row: the weight of the result's text. @type {number[]} */ #results = [];
  /** @type {Map<string, number>} */ #placeholders = new Map();

  /** @param {Mending} mending */
  constructor(mending) {
    this.#mending = mending;
  }

  /** Weighs the messages that were not weighed yet, in one call. @param {Conversation} conversation @param {readonly any[]} messages */
  weigh({ layout, transcript }, messages) {
    const from = this.#stored.length;
    if (from >= messages.length) return;
    const weights = weightsOf(messages.slice(from), false, (text, tokens, at) => {
      const end = layout.firstRowOf(from + at + 1);
      for (let row = layout.firstRowOf(from + at); row < end; row++) {
        if (transcript.contents[row] === text) this.#results[row] = tokens;
      }
    });
    for (const weight of weights) this.#stored.push(weight);
  }

  /**
   * Tokens of message `index` after orphan handling. Whole numbers, so that sums are exact.
   * @param {Conversation} conversation @param {number} index
   */
  of({ transcript, engine }, index) {
    const stored = this.#stored[index] ?? 0;
    const fix = this.#mending.fixes.get(index);
    if (fix === undefined) return Math.max(1, Math.round(stored));
    if (fix.isRemoved) return 0;
    let tokens = stored;
    if (fix.rows.length > 0) this.#weighRows(transcript.contents, fix.rows);
    for (const row of fix.rows) tokens -= this.#results[row] ?? 0;
    if (fix.answeredCalls.length > 0) {
      const { interruptedAnswer } = engine;
      this.#weighPlaceholders([interruptedAnswer]);
      tokens += fix.answeredCalls.length * (constants().message + (this.#placeholders.get(interruptedAnswer) ?? 0));
    }
    return Math.max(1, Math.round(tokens));
  }

  /** Drops the messages from `length` on, and their rows. @param {number} length @param {number} rows */
  truncate(length, rows) {
    if (this.#stored.length > length) this.#stored.length = length;
    if (this.#results.length > rows) this.#results.length = rows;
  }

  /**
   * The tokens saved by replacing the results of these rows with these texts; 0 or less if a text is not shorter.
   * @param {Conversation} conversation
   * @param {readonly { row: number, text: string }[]} replaced
   * @returns {number[]}
   */
  savings({ transcript, layout }, replaced) {
    const rows = replaced.map(({ row }) => row);
    this.#weighRows(transcript.contents, rows);
    this.#weighPlaceholders(replaced.map(({ text }) => text));
    return replaced.map(({ row, text }) => {
      const media = layout.mediaUnitsOf(row) > 0 ? constants().media : 0;
      const placeholder = this.#placeholders.get(text) ?? 0;
      return Math.floor(media + (this.#results[row] ?? 0) - placeholder);
    });
  }

  /** @param {readonly (string | undefined)[]} contents by row @param {readonly number[]} rows */
  #weighRows(contents, rows) {
    const unknown = rows.filter((row) => this.#results[row] === undefined);
    weightsOfTexts(unknown.map((row) => contents[row] ?? '')).forEach((tokens, at) => {
      this.#results[/** @type {number} */ (unknown[at])] = tokens;
    });
  }

  /** @param {readonly string[]} texts */
  #weighPlaceholders(texts) {
    if (this.#placeholders.size > MAX_PLACEHOLDERS) this.#placeholders.clear();
    const unknown = [...new Set(texts)].filter((text) => !this.#placeholders.has(text));
    weightsOfTexts(unknown).forEach((tokens, at) => {
      this.#placeholders.set(/** @type {string} */ (unknown[at]), tokens);
    });
  }
}

/** True if the placeholder has fewer bytes than the result. @param {Conversation} conversation @param {number} row @param {string} placeholder */
function isShorter({ transcript, layout }, row, placeholder) {
  const content = transcript.contents[row] ?? '';
  // A unit takes one to three bytes, and most contents are far longer than a placeholder.
  if (content.length > placeholder.length * 3 || layout.mediaUnitsOf(row) > 0) return true;
  return Buffer.byteLength(content) > Buffer.byteLength(placeholder);
}

module.exports = { isShorter, PromptWeights };
