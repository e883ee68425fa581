// @ts-check
'use strict';

const { layouts, lengthOf } = require('../layouts.js');
const { reportsIn } = require('../messages/message-fields.js');
const native = require('../native.js');
const { CountMemo } = require('../tokens/memo.js');
const { ToolCount } = require('../tokens/tools.js');
const { figuresOf, reportsOn } = require('../tokens/usage.js');
const { ignoreRejection } = require('../callbacks.js');
const { safely } = require('../plain-data.js');
const { compressedAt, compressionOf } = require('./record.js');

const { weighedMessage: WEIGHED } = layouts;
const WEIGHED_NUMBERS = lengthOf(WEIGHED);
/** Number of newest usage reports to read; older ones add nothing. */ const MAX_REPORTS = 8;
/** Fields in which applications store the model name of a provider's response. */
const MODEL_NAME_FIELDS = ['model', 'modelId', 'model_name', 'modelVersion'];
/** Number of newest messages that are searched for a model name: an application that stores names has an assistant message among them. */
const MAX_SEARCHED = 64;

/**
 * A conversation's token counts in the core's input format. `rows`: for each message, its tokens and the application's own count; `reports`: the
 * newest usage figures, each after its message's index; `fixedTokens`: of tools and the request's format; `forms`: of unrecognised messages.
 * @typedef {{ tokens: number[], rows: Float64Array, reports: Float64Array, fixedTokens: number,
 *   forms: import('../messages/form.js').FormCounts }} Columns
 */

/** Measures how full the context window is: counts the tokens of a manager's conversations for one model. */
class Window {
  /** @param {string | undefined} model @param {unknown} tools an array, or a function that gives one @param {import('../messages/choice.js').Forced} forced */
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
    const rows = new Float64Array(messages.length * WEIGHED_NUMBERS);
    tokens.forEach((count, index) => {
      rows[index * WEIGHED_NUMBERS + WEIGHED.tokens] = count;
      rows[index * WEIGHED_NUMBERS + WEIGHED.counted] = ownCount(messages[index]);
    });
    const [reports, forms] = [reportsOf(messages), this.memo.formsIn(column)];
    return { tokens, rows, reports, fixedTokens: this.#fixedTokens(), forms };
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
    const tools = safely(() => {
      const given = typeof this.tools === 'function' ? this.tools() : this.tools;
      ignoreRejection(given);
      return given;
    });
    return this.requestOverhead + (Array.isArray(tools) ? this.toolCount.tokensOf(tools) : 0);
  }
}

/** The application's own count; NaN if it has none. @param {any} message */
function ownCount(message) {
  const count = safely(() => message.promptTokens ?? message.tokens);
  return typeof count === 'number' ? count : Number.NaN;
}

/** The newest usage figures, each after its message's index. Those before a compression say nothing about the remaining messages. @param {readonly any[]} messages */
function reportsOf(messages) {
  let newest = messages.length - 1;
  while (newest >= 0 && compressionOf(messages[newest]) === undefined) newest--;
  const since = newest < 0 ? Number.NEGATIVE_INFINITY : compressedAt(messages[newest]);
  /** @type {number[][]} */ const reports = [];
  for (let index = messages.length - 1; index > newest && reports.length < MAX_REPORTS; index--) {
    const report = safely(() => reportOn(messages[index], since));
    if (report !== undefined) reports.unshift([index, ...report]);
  }
  return Float64Array.from(reports.flat());
}

/** The figures of a message's first usage report that has any. @param {any} message @param {number} since @returns {number[] | undefined} */
function reportOn(message, since) {
  const reports = reportsIn(message).flatMap(reportsOn).map(figuresOf);
  const complete = reports.find((figures) => figures.some((figure) => figure !== null));
  // The application restored a message from before the compression.
  if (complete && typeof message.timestamp === 'number' && message.timestamp < since) return undefined;
  return complete?.map((figure) => figure ?? Number.NaN);
}

/** The model named by the newest assistant message. @param {readonly any[]} messages @returns {string | undefined} */
function modelNamedIn(messages) {
  const first = Math.max(0, messages.length - MAX_SEARCHED);
  for (let index = messages.length - 1; index >= first; index--) {
    const name = safely(() => modelNameOn(messages[index]));
    if (name !== undefined) return name;
  }
  return undefined;
}

/** @param {any} message @returns {string | undefined} */
function modelNameOn(message) {
  if (['user', 'tool', 'system'].includes(message?.role)) return undefined;
  const holders = [message, ...reportsIn(message)];
  const names = holders.flatMap((fields) => MODEL_NAME_FIELDS.map((field) => fields?.[field]));
  return names.find((name) => typeof name === 'string' && name !== '');
}

module.exports = { Window, modelNamedIn };
