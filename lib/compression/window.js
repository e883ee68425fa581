// @ts-check
'use strict';

const { layouts, lengthOf } = require('../layouts.js');
const { reportsIn } = require('../messages/message-fields.js');
const native = require('../native.js');
const { CountMemo } = require('../tokens/memo.js');
const { ToolCount } = require('../tokens/tools.js');
const { figuresOf, reportsOn } = require('../tokens/usage.js');
const { ignoreRejection } = require('../callbacks.js');
const { compressedAt, compressionOf } = require('./record.js');

const { weighedMessage: WEIGHED } = layouts;
const WEIGHED_NUMBERS = lengthOf(WEIGHED);
/** Number of newest usage reports to read; older ones add nothing. */
const MAX_REPORTS = 8;

/**
 * A conversation's token counts in the core's input format. `tokens`: per message; `rows`: these and the application's own counts;
 * `reports`: usage figures; `fixedTokens`: of tools and the request's format.
 * @typedef {{ tokens: number[], rows: Float64Array, reports: Float64Array, fixedTokens: number,
 *   forms: import('../messages/form.js').FormCounts }} Columns
 */

/** Counts the tokens of a manager's conversations for one model. */
class Window {
  /**
   * @param {string | undefined} model @param {unknown} tools an array, or a function that gives one
   * @param {import('../messages/choice.js').Forced} forced
   */
  constructor(model, tools, forced) {
    this.model = new native.TokenModel(model === undefined ? {} : { model });
    this.memo = new CountMemo(this.model, forced);
    this.tools = tools;
    this.toolCount = new ToolCount(this.model);
    this.requestOverhead = this.model.requestOverhead;
  }

  /** @param {readonly any[]} messages @returns {Columns} */
  columns(messages) {
    const column = this.memo.columnOf(messages);
    const tokens = Array.from({ length: messages.length }, (_, index) => this.memo.tokensAt(messages, index, column));
    this.memo.remember(messages, column);
    const since = lastCompression(messages);
    const rows = new Float64Array(messages.length * WEIGHED_NUMBERS);
    tokens.forEach((count, index) => {
      rows[index * WEIGHED_NUMBERS + WEIGHED.tokens] = count;
      rows[index * WEIGHED_NUMBERS + WEIGHED.counted] = ownCount(messages[index]);
    });
    return {
      tokens,
      rows,
      reports: reportsOf(messages, since),
      fixedTokens: this.#fixedTokens(),
      forms: this.memo.formsIn(column),
    };
  }

  /** Texts above this size are only estimated, because they don't fit anyway. @param {number} maxContextTokens */
  limitTo(maxContextTokens) {
    this.memo.exactUpTo = maxContextTokens;
  }

  /** Tokens of one message, not rounded. @param {any} message */
  tokensOf(message) {
    return this.memo.tokensAt([message], 0, []);
  }

  #fixedTokens() {
    let tools = this.tools;
    try {
      if (typeof tools === 'function') tools = tools();
      ignoreRejection(tools);
    } catch {
      tools = undefined;
    }
    return this.requestOverhead + (Array.isArray(tools) ? this.toolCount.tokensOf(tools) : 0);
  }
}

/** The newest compression. Earlier usage figures say nothing about the remaining messages. @param {readonly any[]} messages */
function lastCompression(messages) {
  for (let index = messages.length - 1; index >= 0; index--) {
    if (compressionOf(messages[index]) !== undefined) return { index, at: compressedAt(messages[index]) };
  }
  return { index: -1, at: Number.NEGATIVE_INFINITY };
}

/** The application's own count; NaN if it has none. @param {any} message */
function ownCount(message) {
  try {
    const count = message.promptTokens ?? message.tokens;
    return typeof count === 'number' ? count : Number.NaN;
  } catch {
    return Number.NaN;
  }
}

/** The newest usage figures, each after its message's index. @param {readonly any[]} messages @param {{ index: number, at: number }} since */
function reportsOf(messages, since) {
  /** @type {number[][]} */ const reports = [];
  for (let index = messages.length - 1; index > since.index && reports.length < MAX_REPORTS; index--) {
    try {
      const message = messages[index];
      const report = reportOn(message);
      if (report === undefined) continue;
      // Figures from before the compression, which the application restored.
      if (typeof message.timestamp === 'number' && message.timestamp < since.at) continue;
      reports.unshift([index, ...report]);
    } catch {
      // An unreadable message has no report.
    }
  }
  return Float64Array.from(reports.flat());
}

/** The figures of the first usage report on a message that has any. @param {any} message @returns {number[] | undefined} */
function reportOn(message) {
  const reports = reportsIn(message).flatMap(reportsOn).map(figuresOf);
  const complete = reports.find((figures) => figures.some((figure) => figure !== null));
  return complete?.map((figure) => figure ?? Number.NaN);
}

module.exports = { Window };
