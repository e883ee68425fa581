// @ts-check
'use strict';

const { constants, weightsOf, weightsOfTexts } = require('./weight.js');

/**
 * @typedef {InstanceType<typeof import('../cleanup/conversation.js').Conversation>} Conversation
 * @typedef {InstanceType<typeof import('../cleanup/orphan-fixes.js').OrphanFixes>} OrphanFixes
 */

/** Limit of the cache, because placeholders from templates may have any number of texts. */ const MAX_PLACEHOLDERS = 256;

/** The weights (`weight.js`) of a conversation's messages and results, in tokens. Each text is weighed once. */
class PromptWeights {
  #orphanFixes;
  /** For each message, its weight as the application stores it. @type {number[]} */ #messageTokens = [];
  /** For each row, the weight of the result's text. @type {number[]} */ #resultTokens = [];
  /** The weight of each placeholder. @type {Map<string, number>} */ #placeholderTokens = new Map();

  /** @param {OrphanFixes} orphanFixes */
  constructor(orphanFixes) {
    this.#orphanFixes = orphanFixes;
  }

  /** Weighs the messages that were not weighed yet, in one call. @param {Conversation} conversation @param {readonly any[]} messages */
  weigh({ table, transcript }, messages) {
    const from = this.#messageTokens.length;
    if (from >= messages.length) return;
    const weights = weightsOf(messages.slice(from), false, (text, tokens, index) => {
      const end = table.firstRowOf(from + index + 1);
      for (let row = table.firstRowOf(from + index); row < end; row++) {
        if (transcript.contents[row] === text) this.#resultTokens[row] = tokens;
      }
    });
    for (const weight of weights) this.#messageTokens.push(weight);
  }

  /** Tokens of a message after orphan handling. Whole numbers: sums are exact. @param {Conversation} conversation @param {number} index */
  tokensOf({ transcript, engine }, index) {
    let tokens = this.#messageTokens[index] ?? 0;
    const fix = this.#orphanFixes.fixes.get(index);
    if (fix === undefined) return Math.max(1, Math.round(tokens));
    if (fix.isRemoved) return 0;
    this.#weighRows(transcript.contents, fix.rows);
    for (const row of fix.rows) tokens -= this.#resultTokens[row] ?? 0;
    if (fix.answeredCalls.length > 0) {
      this.#weighPlaceholders([engine.interruptedAnswer]);
      const answerTokens = this.#placeholderTokens.get(engine.interruptedAnswer) ?? 0;
      tokens += fix.answeredCalls.length * (constants().message + answerTokens);
    }
    return Math.max(1, Math.round(tokens));
  }

  /** Drops the messages from `length` on, and their rows. @param {number} length @param {number} rows */
  truncate(length, rows) {
    if (this.#messageTokens.length > length) this.#messageTokens.length = length;
    if (this.#resultTokens.length > rows) this.#resultTokens.length = rows;
  }

  /** The tokens that each replacement saves; 0 or less if its text is not shorter. @param {Conversation} conversation @param {readonly { row: number, text: string }[]} replaced */
  savings({ transcript, table }, replaced) {
    const rows = replaced.map(({ row }) => row);
    this.#weighRows(transcript.contents, rows);
    this.#weighPlaceholders(replaced.map(({ text }) => text));
    return replaced.map(({ row, text }) => {
      const media = table.mediaUnitsOf(row) > 0 ? constants().media : 0;
      const placeholder = this.#placeholderTokens.get(text) ?? 0;
      return Math.floor(media + (this.#resultTokens[row] ?? 0) - placeholder);
    });
  }

  /** Weighs results that were not weighed yet. @param {readonly (string | undefined)[]} contents text of each row @param {readonly number[]} rows */
  #weighRows(contents, rows) {
    const unknown = rows.filter((row) => this.#resultTokens[row] === undefined);
    weightsOfTexts(unknown.map((row) => contents[row] ?? '')).forEach((tokens, nth) => {
      this.#resultTokens[/** @type {number} */ (unknown[nth])] = tokens;
    });
  }

  /** Weighs placeholders that were not weighed yet. @param {readonly string[]} texts */
  #weighPlaceholders(texts) {
    if (this.#placeholderTokens.size > MAX_PLACEHOLDERS) this.#placeholderTokens.clear();
    const unknown = [...new Set(texts)].filter((text) => !this.#placeholderTokens.has(text));
    weightsOfTexts(unknown).forEach((tokens, nth) => {
      this.#placeholderTokens.set(/** @type {string} */ (unknown[nth]), tokens);
    });
  }
}

/** True if the placeholder has fewer bytes than the result. @param {Conversation} conversation @param {number} row @param {string} placeholder */
function isShorter({ transcript, table }, row, placeholder) {
  const content = transcript.contents[row] ?? '';
  // A unit takes one to three bytes, and most contents are far longer than a placeholder.
  if (content.length > placeholder.length * 3 || table.mediaUnitsOf(row) > 0) return true;
  return Buffer.byteLength(content) > Buffer.byteLength(placeholder);
}

module.exports = { isShorter, PromptWeights };
