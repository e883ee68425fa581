// @ts-check
'use strict';

const { blocksIn } = require('./marks.js');
const { weightOfMedia, weightsOf, weightsOfTexts } = require('./weight.js');

/**
 * @typedef {InstanceType<typeof import('../cleanup/conversation.js').Conversation>} Conversation
 * @typedef {InstanceType<typeof import('./applied.js').Applied>} Applied
 * @typedef {InstanceType<typeof import('./mending.js').Mending>} Mending
 * @typedef {InstanceType<typeof import('./schedule.js').Schedule>} Schedule
 */

/** @type {Set<number>} */
const NONE = new Set();
/** Placeholders from templates may have any number of texts. */
const MOST_PLACEHOLDERS = 256;

/**
 * Keeps what each stored message and each result weighs, with what mends it, and tells the schedule of it. As long as nothing
 * waits to be replaced, nothing is weighed.
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
    /** By message, as far as they were weighed. @type {number[]} */ this.weights = [];
    /** By row: the text of a result. @type {number[]} */ this.results = [];
    /** @type {Map<string, number>} */ this.placeholders = new Map();
    /** The messages of the newest request. @type {readonly any[]} */ this.taken = [];
    /** @type {Conversation | null} */ this.conversation = null;
    schedule.weigher = {
      weigh: (end) => this.#weighUpTo(end),
      changed: (change) => this.#changedWith(change),
      refine: () => this.#refine(),
    };
  }

  /** Whether texts are weighed without a vocabulary: nothing depends on it but whether a placeholder is shorter. */
  get isCoarse() {
    return this.schedule.isFree && !this.schedule.isAwake;
  }

  /** Weighs anew what was estimated. */
  #refine() {
    const { applied, conversation } = this;
    this.results.length = 0;
    this.placeholders.clear();
    if (conversation === null || applied.replaced.size === 0) return;
    const all = [...applied.replaced];
    const rows = all.map(([row]) => row);
    const savings = this.savings(
      conversation,
      rows,
      all.map(([, { text }]) => text),
    );
    all.forEach(([, replaced], at) => {
      // It was shorter when that was decided.
      replaced.saved = Math.max(1, /** @type {number} */ (savings[at]));
    });
  }

  /** What the messages weigh of which results were replaced with a change. @param {number} change @returns {number[]} positions and tokens in turn */
  #changedWith(change) {
    const { layout } = /** @type {Conversation} */ (this.conversation);
    /** @type {Map<number, number>} */
    const saved = new Map();
    const positions = new Set();
    for (const [row, one] of this.applied.replaced) {
      if (one.change > change) continue;
      const position = layout.ownerOf(row);
      saved.set(position, (saved.get(position) ?? 0) + one.saved);
      if (one.change === change) positions.add(position);
    }
    const after = (/** @type {number} */ at) =>
      Math.max(1, /** @type {number} */ (this.weights[at]) - (saved.get(at) ?? 0));
    return [...positions].sort((a, b) => a - b).flatMap((position) => [position, after(position)]);
  }

  /** By message. */
  get tokens() {
    this.schedule.settle();
    return this.weights;
  }

  /** Weighs the messages up to `end` that were not. @param {number} end @returns {number[]} tokens and blocks in turn */
  #weighUpTo(end) {
    const { taken, weights } = this;
    const from = weights.length;
    const pushed = [];
    const stored = this.#weightsOf(from, taken.slice(from, end));
    for (let index = from; index < end; index++) {
      const weight = this.mending.weight(index, /** @type {number} */ (stored[index - from]));
      weights.push(weight);
      pushed.push(weight, blocksIn(taken[index]));
    }
    return pushed;
  }

  /** @param {number} from @param {readonly any[]} messages that stand from there on */
  #weightsOf(from, messages) {
    const { layout, transcript } = /** @type {Conversation} */ (this.conversation);
    return weightsOf(messages, this.isCoarse, (text, tokens, at) => {
      const end = layout.rowOf(from + at + 1);
      for (let row = layout.rowOf(from + at); row < end; row++) {
        if (transcript.contents[row] === text) this.results[row] = tokens;
      }
    });
  }

  /**
   * Tells the schedule of new messages, and of those that are mended otherwise than before.
   * @param {readonly any[]} taken
   * @param {Conversation} conversation
   * @returns {Set<number>} messages that are sent otherwise than before
   */
  tell(taken, conversation) {
    const { schedule, mending, weights } = this;
    const { dropped, answered, editCount } = conversation.decision;
    Object.assign(this, { taken, conversation });
    const end = this.length;
    this.length = Math.max(end, taken.length);
    const isSimple = dropped.length + answered.length === 0 && (editCount === 0 || schedule.isFree);
    if (!schedule.isAwake && isSimple) return NONE;
    schedule.awake();
    const reset = new Set(mending.update(conversation, this).filter((index) => index < end));
    for (const index of [...reset].sort((a, b) => a - b)) {
      const [stored] = this.#weightsOf(index, [taken[index]]);
      const weight = mending.weight(index, /** @type {number} */ (stored));
      weights[index] = weight;
      schedule.changed.push(index, weight);
    }
    for (const number of this.#weighUpTo(taken.length)) schedule.pushed.push(number);
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
  }

  /**
   * Tells the schedule what waits in each touched message, and what stays replaced in messages that it takes for new.
   * @param {Conversation['layout']} layout
   * @param {Set<number>} reset messages that the schedule takes for new
   * @param {Set<number>} touched messages of which something else waits
   */
  mark(layout, reset, touched) {
    const { schedule, applied, weights } = this;
    for (const message of new Set([...reset, ...touched])) {
      if (!schedule.isAwake) {
        if (applied.savings(layout, message).waits) schedule.marked.push(message, Number.NaN);
        continue;
      }
      const stored = weights[message];
      if (stored === undefined) continue;
      const { replaced, pending, waits, rides } = applied.savings(layout, message);
      if (replaced !== 0 && reset.has(message)) schedule.kept.push(message, Math.max(1, stored - replaced));
      const list = rides ? schedule.riding : schedule.marked;
      if (waits) list.push(message, Math.max(1, stored - replaced - pending));
      else schedule.unmarked.push(message);
    }
  }

  /**
   * What it saves to replace the results of these rows by these texts, in tokens.
   * @param {Conversation} conversation
   * @param {readonly number[]} rows
   * @param {readonly string[]} texts
   * @returns {number[]}
   */
  savings({ transcript, layout }, rows, texts) {
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
    const hasMedia = layout.mediaUnitsOf(row) > 0;
    return hasMedia || Buffer.byteLength(transcript.contents[row] ?? '') > Buffer.byteLength(placeholder);
  }

  /** @param {readonly (string | undefined)[]} contents by row @param {readonly number[]} rows */
  #weighRows(contents, rows) {
    const unknown = rows.filter((row) => this.results[row] === undefined);
    const texts = unknown.map((row) => contents[row] ?? '');
    weightsOfTexts(texts, this.isCoarse).forEach((tokens, at) => {
      this.results[/** @type {number} */ (unknown[at])] = tokens;
    });
  }

  /** @param {readonly string[]} texts */
  #weighPlaceholders(texts) {
    const { placeholders } = this;
    if (placeholders.size > MOST_PLACEHOLDERS) placeholders.clear();
    const unknown = [...new Set(texts)].filter((text) => !placeholders.has(text));
    weightsOfTexts(unknown, this.isCoarse).forEach((tokens, at) => {
      placeholders.set(/** @type {string} */ (unknown[at]), tokens);
    });
  }

  /** What the text of a result weighs. @param {Conversation} conversation @param {number} row */
  ofRow({ transcript }, row) {
    this.#weighRows(transcript.contents, [row]);
    return /** @type {number} */ (this.results[row]);
  }
}

module.exports = { WeighedMessages };
