// @ts-check
'use strict';

const { copyOf } = require('../lists.js');
const { textMessage } = require('../messages/said.js');
const { carriedCopy, pinnedCopy, withoutUsage } = require('./copies.js');
const { compressionOf, countIn, digestOf, isPinnedCopy } = require('./record.js');
const { shortened } = require('./shorten.js');
const { readTranscript } = require('./transcript.js');

/** Shortened texts land a little beside what was planned; each further attempt plans for less. */
const MOST_ATTEMPTS = 8;
const SLACK_TOKENS = 16;

/**
 * @typedef {import('../../binding.js').HardLimitCut} HardLimitCut
 * @typedef {{
 *   messages: any[], notice: any, dropped: any[], cut: HardLimitCut, level: number, shortenedCount: number,
 *   tokens: number,
 * }} Truncation what is left, and what went
 */

/** Brings one conversation under the hard limit (SPEC R7.11). */
class Truncating {
  /**
   * @param {readonly any[]} messages
   * @param {import('./window.js').Columns} columns
   * @param {number} usedTokens what the window holds by the best figure there is
   * @param {{
   *   compressor: InstanceType<typeof import('../native.js').Compressor>, now: number,
   *   window: InstanceType<typeof import('./window.js').Window>, usageFields: readonly string[],
   *   pin: ((message: any) => unknown) | null, dialect: import('../messages/choice.js').Forced,
   * }} context
   */
  constructor(messages, columns, usedTokens, context) {
    this.messages = copyOf(messages);
    this.columns = columns;
    this.context = context;
    this.weights = weightsOf(columns, usedTokens);
    this.transcript = readTranscript(messages, (index) => this.weights[index] ?? 0, context.pin, context.dialect);
  }

  /** @param {number} limitTokens @returns {Truncation | undefined} nothing when there is nothing to be done */
  under(limitTokens) {
    let aim = limitTokens;
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
      const { texts, numbers } = this.transcript;
      const { compressor, now } = this.context;
      const cut = compressor.planCut(texts, numbers, this.#onRecord(), this.columns.fixedTokens, aim, now);
      if (cut.cannotFit || (cut.dropped.length === 0 && cut.shorten.length === 0)) return undefined;
      const truncation = this.#apply(cut);
      if (truncation.tokens <= limitTokens) return truncation;
      aim -= truncation.tokens - limitTokens + SLACK_TOKENS;
    }
    return undefined;
  }

  /** What earlier cuts and summaries know. */
  #onRecord() {
    /** @type {number[]} */
    const notices = [];
    let firstRequest;
    /** @type {string | undefined} */
    let digest;
    this.messages.forEach((message, index) => {
      const record = compressionOf(message);
      if (record === undefined) return;
      if (typeof record.firstRequest === 'string') firstRequest ??= record.firstRequest;
      digest = digestOf(record) ?? digest;
      if (record.kind === 'truncation') {
        notices.push(index, countIn(record, 'droppedCount', 1), countIn(record, 'droppedTokens', 0));
      }
    });
    return { firstRequest, digest, notices };
  }

  /** @param {HardLimitCut} cut @returns {Truncation} */
  #apply(cut) {
    const { isDropped, start, end } = extentOf(cut);
    const limits = new Map(pairs(cut.shorten));
    const notice = cut.noticeAt === undefined ? undefined : this.#notice(cut);
    /** @type {any[]} */
    const left = [];
    let tokens = this.columns.fixedTokens;
    const add = (/** @type {any} */ message, /** @type {number} */ weight) => {
      left.push(message);
      tokens += weight;
    };
    for (let index = 0; index <= this.messages.length; index++) {
      if (notice !== undefined && index === cut.noticeAt) add(notice, this.context.window.tokensOf(notice));
      if (index === this.messages.length || isDropped.has(index)) continue;
      const kept = this.#kept(index, limits.get(index));
      const isInside = notice !== undefined && index >= start && index < end;
      add(isInside ? repeated(kept.message, cut.id) : kept.message, kept.weight);
    }
    const dropped = this.messages.slice(start, end);
    const level = levelAbove(dropped);
    return { messages: left, notice, dropped, cut, level, shortenedCount: limits.size, tokens };
  }

  /** @param {HardLimitCut} cut */
  #notice({ notice }) {
    const { now, dialect } = this.context;
    return textMessage(/** @type {string} */ (notice), { conversation: this.messages, now, forced: dialect });
  }

  /**
   * @param {number} index
   * @param {number | undefined} maxWeight
   */
  #kept(index, maxWeight) {
    const { window, usageFields, dialect } = this.context;
    const message = this.messages[index];
    const weight = this.weights[index] ?? 0;
    if (maxWeight === undefined) return { message: withoutUsage(message, usageFields), weight };
    const ratio = weight / Math.max(1, this.columns.tokens[index] ?? 0);
    const cut = withoutUsage(shortened(message, maxWeight / ratio, window.model, dialect), usageFields);
    return { message: cut, weight: window.tokensOf(cut) * ratio };
  }
}

/** A message that stays although the notice stands for it, too. @param {any} message @param {string} id */
function repeated(message, id) {
  return isPinnedCopy(message) ? pinnedCopy(message, id) : carriedCopy(message, id);
}

/**
 * What each message weighs in the currency of `usedTokens`: the host's own count where it gives one, else its share
 * of what the provider reports, so that a cut removes what has to go and not what the tokenizer believes.
 * @param {import('./window.js').Columns} columns
 * @param {number} usedTokens
 */
function weightsOf({ tokens, rows, fixedTokens }, usedTokens) {
  const own = tokens.map((count, index) => {
    const counted = rows[index * 2 + 1];
    return counted !== undefined && counted > 0 ? Math.max(counted, count) : count;
  });
  const total = own.reduce((sum, count) => sum + count, 0);
  const factor = total > 0 ? Math.max(1, (usedTokens - fixedTokens) / total) : 1;
  return own.map((count) => count * factor);
}

/** What goes, and the stretch that the notice stands for. @param {HardLimitCut} cut */
function extentOf({ dropped, noticeAt }) {
  const isDropped = new Set();
  let start = noticeAt ?? 0;
  let end = noticeAt ?? 0;
  for (const [from, to] of pairs(dropped)) {
    for (let index = from; index < to; index++) isDropped.add(index);
    start = Math.min(start, from);
    end = Math.max(end, to);
  }
  return { isDropped, start, end };
}

/** @param {readonly number[]} numbers @returns {[number, number][]} */
function pairs(numbers) {
  return Array.from({ length: numbers.length / 2 }, (_, at) => [
    /** @type {number} */ (numbers[at * 2]),
    /** @type {number} */ (numbers[at * 2 + 1]),
  ]);
}

/** @param {readonly any[]} messages */
function levelAbove(messages) {
  return messages.reduce((level, message) => Math.max(level, 1 + countIn(compressionOf(message), 'level', 0)), 1);
}

module.exports = { Truncating };
