// @ts-check
'use strict';

const { blocksIn } = require('./marks.js');
const { mendedOtherwise } = require('./mending.js');
const { weightOfMedia, weightOfMessage, weightsOf, weightsOfTexts } = require('./weight.js');

/**
 * @typedef {InstanceType<typeof import('../cleanup/conversation.js').Conversation>} Conversation
 * @typedef {InstanceType<typeof import('./applied.js').Applied>} Applied
 * @typedef {InstanceType<typeof import('./mending.js').Mending>} Mending
 * @typedef {import('./mending.js').MendedMessages} MendedMessages
 * @typedef {InstanceType<typeof import('./schedule.js').Schedule>} Schedule
 */

/** @type {ReadonlySet<number>} */
const NOTHING = new Set();

/** Placeholders from templates may have any number of texts. */
const MOST_PLACEHOLDERS = 256;

/**
 * Keeps what each message and each result weighs, with what mends it, and tells the schedule of it. As long as nothing waits
 * to be replaced, and where there is no cache, nothing is weighed until somebody asks.
 */
class WeighedMessages {
  /**
   * @param {Schedule} schedule
   * @param {Applied} applied
   * @param {Mending} mending
   */
  constructor(schedule, applied, mending) {
    this.schedule = schedule;
    this.applied = applied;
    this.mending = mending;
    /** How many messages the schedule knows of, or will when it is asked. */
    this.length = 0;
    /** By message, as far as the core was told. @type {number[]} */ this.weights = [];
    /** Those behind it that are weighed, as they are stored. @type {number[]} */ this.ahead = [];
    /** How messages are mended, as far as the core was told. @type {MendedMessages} */ this.told = mending.mended;
    /** By row: the text of a result. @type {number[]} */ this.results = [];
    /** @type {Map<string, number>} */ this.placeholders = new Map();
    /** The messages of the newest request. @type {readonly any[]} */ this.taken = [];
    /** @type {Conversation | null} */ this.conversation = null;
    schedule.weigher = this;
  }

  /** Whether no vocabulary is read: nothing is weighed then but requests beside the conversation. */
  get isCoarse() {
    return this.schedule.isFree && !this.schedule.isAwake;
  }

  /** Weighs what was replaced before anybody asked. */
  refine() {
    const { applied, conversation } = this;
    if (conversation === null) return;
    this.#weighRows(conversation.transcript.contents, [...applied.replaced.keys()]);
    for (const [row, replaced] of applied.replaced) {
      const [saved = 1] = this.savings(conversation, [row], [replaced.text]);
      // It was shorter when that was decided.
      replaced.saved = Math.max(1, saved);
    }
  }

  /** Tells the schedule of a request, and of the messages in which something was replaced with it. @param {readonly number[]} positions @param {number} changes so many were made before */
  tell(positions, changes) {
    this.#tellMessages(changes);
    const { layout } = /** @type {Conversation} */ (this.conversation);
    for (const position of positions) {
      const { replaced } = this.applied.savings(layout, position, changes + 1);
      this.schedule.marked.push(position, Math.max(1, /** @type {number} */ (this.weights[position]) - replaced));
    }
  }

  /** By message. */
  get tokens() {
    this.schedule.settle();
    return this.weights;
  }

  /** Weighs the messages up to `end` that were not, all in one call. @param {number} end */
  weigh(end) {
    const from = this.weights.length;
    this.ahead = this.#weightsOf(from, this.taken.slice(from, end));
  }

  /** Tells of new messages, and of those that are mended otherwise than the core was told. @param {number} changes so many were made before */
  #tellMessages(changes) {
    const { schedule, weights, taken, ahead } = this;
    const known = weights.length;
    for (const index of mendedOtherwise(this.told, schedule.mended)) {
      if (index >= known) continue;
      const [stored = 0] = this.#weightsOf(index, [taken[index]]);
      const weight = this.#mendedWeight(index, stored);
      weights[index] = weight;
      schedule.changed.push(index, weight);
      const { layout } = /** @type {Conversation} */ (this.conversation);
      const { replaced } = this.applied.savings(layout, index, changes);
      if (replaced !== 0) schedule.kept.push(index, Math.max(1, weight - replaced));
    }
    this.told = schedule.mended;
    for (let index = known; index < schedule.messages; index++) {
      const weight = this.#mendedWeight(index, /** @type {number} */ (ahead[index - known]));
      weights.push(weight);
      schedule.pushed.push(weight, blocksIn(taken[index]));
    }
    this.ahead = ahead.slice(weights.length - known);
  }

  /** What a message of the weight `stored` weighs once it is mended. @param {number} index @param {number} stored */
  #mendedWeight(index, stored) {
    const mended = this.schedule.mended.get(index);
    if (mended === undefined) return Math.max(1, stored);
    if (mended.isGone) return 0;
    let added = 0;
    for (const row of mended.rows) added -= this.#ofRow(row);
    if (mended.calls.length > 0) {
      const { answer } = this.mending;
      this.#weighPlaceholders([answer]);
      for (const _ of mended.calls) added += weightOfMessage() + /** @type {number} */ (this.placeholders.get(answer));
    }
    return Math.max(1, stored + added);
  }

  /** @param {number} from @param {readonly any[]} messages that stand from there on */
  #weightsOf(from, messages) {
    const { layout, transcript } = /** @type {Conversation} */ (this.conversation);
    return weightsOf(messages, false, (text, tokens, at) => {
      const end = layout.rowOf(from + at + 1);
      for (let row = layout.rowOf(from + at); row < end; row++) {
        if (transcript.contents[row] === text) this.results[row] = tokens;
      }
    });
  }

  /**
   * Takes in the messages of a request; the schedule is told of them now, or once it has something to decide.
   * @param {readonly any[]} taken
   * @param {Conversation} conversation
   * @returns {ReadonlySet<number>} messages that are mended otherwise than before
   */
  takeIn(taken, conversation) {
    const { schedule, mending } = this;
    this.taken = taken;
    this.conversation = conversation;
    const known = this.length;
    this.length = Math.max(known, taken.length);
    const isAsleep = !schedule.isAwake && (conversation.decision.editCount === 0 || schedule.isFree);
    if (!isAsleep) schedule.awake();
    const mended = mending.update(conversation);
    const reset = mended.length === 0 ? NOTHING : new Set(mended.filter((index) => index < known));
    schedule.mended = mending.mended;
    if (isAsleep) return reset;
    schedule.messages = this.length;
    this.weigh(this.length);
    this.#tellMessages(Number.POSITIVE_INFINITY);
    return reset;
  }

  /** Forgets the messages from `length` on, and the rows from `rows` on. @param {number} length @param {number} rows */
  truncate(length, rows) {
    this.length = Math.min(this.length, length);
    if (this.weights.length > length) this.weights.length = length;
    if (this.results.length > rows) this.results.length = rows;
    this.mending.truncate(length);
  }

  /** Goes on from the weights of another process. @param {number[]} weights */
  resume(weights) {
    this.weights = weights;
    this.length = weights.length;
    this.told = this.mending.mended;
    this.schedule.mended = this.told;
  }

  /**
   * Tells the schedule what waits in each touched message.
   * @param {Conversation['layout']} layout
   * @param {ReadonlySet<number>} reset messages that the schedule takes for new
   * @param {Set<number>} touched messages of which something else waits
   */
  mark(layout, reset, touched) {
    const { schedule, applied, weights } = this;
    for (const message of reset.size === 0 ? touched : new Set([...reset, ...touched])) {
      if (!schedule.isAwake) {
        if (applied.savings(layout, message).waits) schedule.marked.push(message, Number.NaN);
        continue;
      }
      const stored = weights[message];
      if (stored === undefined) continue;
      const { replaced, pending, waits, rides } = applied.savings(layout, message);
      const list = rides ? schedule.riding : schedule.marked;
      if (waits) list.push(message, Math.max(1, stored - replaced - pending));
      else schedule.unmarked.push(message);
    }
  }

  /**
   * What it saves to replace the results of these rows by these texts, in tokens; not found out as long as nobody asks for it.
   * @param {Conversation} conversation
   * @param {readonly number[]} rows
   * @param {readonly string[]} texts
   * @returns {number[]}
   */
  savings({ transcript, layout }, rows, texts) {
    if (this.isCoarse) return rows.map(() => 1);
    this.#weighRows(transcript.contents, rows);
    this.#weighPlaceholders(texts);
    return rows.map((row, at) => {
      const media = layout.mediaUnitsOf(row) > 0 ? weightOfMedia() : 0;
      const placeholder = /** @type {number} */ (this.placeholders.get(/** @type {string} */ (texts[at])));
      return media + /** @type {number} */ (this.results[row]) - placeholder;
    });
  }

  /**
   * Whether a result's text becomes shorter by its placeholder. Without a cache the bytes decide, whatever has been weighed by then: a
   * view that was asked for its ledger sends what one sends that was not.
   * @param {Conversation} conversation
   * @param {number} row
   * @param {string} placeholder
   * @param {number} saving in tokens
   */
  isShorter({ transcript, layout }, row, placeholder, saving) {
    if (!this.schedule.isFree) return saving > 0;
    const content = transcript.contents[row] ?? '';
    // A unit takes one to three bytes, and most contents are far longer than a placeholder.
    if (content.length > placeholder.length * 3 || layout.mediaUnitsOf(row) > 0) return true;
    return Buffer.byteLength(content) > Buffer.byteLength(placeholder);
  }

  /** @param {readonly (string | undefined)[]} contents by row @param {readonly number[]} rows */
  #weighRows(contents, rows) {
    const unknown = rows.filter((row) => this.results[row] === undefined);
    const texts = unknown.map((row) => contents[row] ?? '');
    weightsOfTexts(texts).forEach((tokens, at) => {
      this.results[/** @type {number} */ (unknown[at])] = tokens;
    });
  }

  /** @param {readonly string[]} texts */
  #weighPlaceholders(texts) {
    if (texts.length === 0) return;
    const { placeholders } = this;
    if (placeholders.size > MOST_PLACEHOLDERS) placeholders.clear();
    const unknown = [...new Set(texts)].filter((text) => !placeholders.has(text));
    weightsOfTexts(unknown).forEach((tokens, at) => {
      placeholders.set(/** @type {string} */ (unknown[at]), tokens);
    });
  }

  /** What the text of a result weighs. @param {number} row */
  #ofRow(row) {
    const { transcript } = /** @type {Conversation} */ (this.conversation);
    this.#weighRows(transcript.contents, [row]);
    return /** @type {number} */ (this.results[row]);
  }
}

module.exports = { WeighedMessages };
