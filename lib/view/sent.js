// @ts-check
'use strict';

const { outcomeOf } = require('../cleanup/outcome.js');
const { lazyReport } = require('../cleanup/report.js');

/**
 * @typedef {InstanceType<typeof import('../cleanup/conversation.js').Conversation>} Conversation
 * @typedef {InstanceType<typeof import('../cleanup/conversation.js').Decision>} Decision
 * @typedef {InstanceType<typeof import('../cleanup/outcome.js').Outcome>} Outcome
 */

/** What a report says of a decision, beside what is replaced. @type {(keyof Decision)[]} */
const REPORTED = ['forms', 'unknownTimes', 'unmatchedResults', 'inSeconds'];

/** The array that is sent, with the copies in it and its report. As long as messages are only added it is patched in place. */
class SentMessages {
  #applied;
  #mending;
  #seen;
  /** What is replaced, in the form of a conversation. @type {any} */ #shown = { changes: null };
  #version = -1;
  /** Of which messages copies were made last, and at which version. @type {readonly any[] | null} */ #copied = null;
  #copiedVersion = -1;
  /** What the array was made of. @type {Outcome | null} */ #madeOf = null;
  /** @type {import('../../index.js').CleanupReport | null} */ #report = null;
  /** What the report is of. @type {Decision | null} */ #decision = null;

  /**
   * @param {InstanceType<typeof import('./applied.js').Applied>} applied
   * @param {InstanceType<typeof import('./mending.js').Mending>} mending
   * @param {InstanceType<typeof import('./seen.js').SeenMessages>} seen
   */
  constructor(applied, mending, seen) {
    this.#applied = applied;
    this.#mending = mending;
    this.#seen = seen;
    /** Copies that were made, by message. @type {import('../cleanup/outcome.js').Copies} */ this.copies = new Map();
    /** The array as it was sent last. @type {any[]} */ this.messages = [];
    /** @type {Outcome | null} */ this.outcome = null;
    /** Whether messages were only added at the end since the last request. */
    this.isGrownOnly = false;
  }

  /**
   * What is sent of `taken`, and its report, which is the same object until it says something else.
   * @param {readonly any[]} taken
   * @param {number} from so many messages at the start are the same objects as before
   * @param {Conversation} conversation
   * @param {number} now
   */
  of(taken, from, conversation, now) {
    const isRebuilt = this.#rebuild(taken, from, conversation, now);
    const { decision } = conversation;
    const before = this.#decision;
    const isSame = !isRebuilt && before !== null && REPORTED.every((figure) => before[figure] === decision[figure]);
    if (!isSame || this.#report === null) {
      this.#decision = decision;
      this.#report = lazyReport(this.#asShown(conversation), taken);
    }
    return { messages: this.messages.slice(), report: this.#report };
  }

  /** Makes the copies with placeholders; false where a message can't be copied, which is left alone from then on. @param {readonly any[]} taken @param {Conversation} conversation @param {number} now */
  makeCopies(taken, conversation, now) {
    let isRefused = false;
    const leaveAlone = (/** @type {number} */ row) => {
      isRefused = true;
      this.#applied.forget([row]);
      conversation.leaveAlone(row, now);
      throw new Error('a message that can not be copied');
    };
    try {
      const shown = Object.assign(this.#asShown(conversation), { leaveAlone });
      this.outcome = outcomeOf(taken, shown, now, this.copies, this.isGrownOnly ? this.outcome : null);
      [this.#copied, this.#copiedVersion] = [taken, this.#versionNow];
      return true;
    } catch (error) {
      if (!isRefused) throw error;
      return false;
    }
  }

  /** The replaced results in the form of a conversation's decision. @param {Conversation} conversation */
  #asShown(conversation) {
    const { engine, layout, transcript } = conversation;
    const decision = this.#applied.asDecision(conversation);
    const state = decision.editCount > 0 ? conversation.state : null;
    const textOf = (/** @type {number} */ edit) => /** @type {string} */ (decision.texts[edit]);
    return Object.assign(this.#shown, { engine, layout, transcript, state, decision, textOf });
  }

  /**
   * Brings the array up to date.
   * @param {readonly any[]} taken
   * @param {number} from
   * @param {Conversation} conversation
   * @param {number} now
   * @returns {boolean} whether more changed than that messages were added
   */
  #rebuild(taken, from, conversation, now) {
    const before = this.outcome;
    const isPatched = this.isGrownOnly && this.#versionNow === this.#version;
    const isCopied = this.#copied === taken && this.#copiedVersion === this.#versionNow;
    this.#copied = null;
    // A copy may fail that was made before; then its message is left alone, and the others are copied again.
    if (!isPatched && !isCopied) while (!this.makeCopies(taken, conversation, now));
    const outcome = /** @type {Outcome} */ (this.outcome);
    const isSame = this.isGrownOnly && before === outcome && this.#madeOf === outcome;
    if (isPatched || isSame) {
      for (let index = from; index < taken.length; index++) this.messages.push(taken[index]);
      if (isPatched) return false;
      for (const index of outcome.news) this.messages[placeIn(outcome, index)] = outcome.at(index);
      this.#seen.watch(taken, outcome.news);
    } else {
      this.messages = this.#mending.sent(outcome, this.copies);
      this.#seen.watched.clear();
      this.#seen.watch(taken, outcome.changed.keys());
    }
    this.#madeOf = outcome;
    outcome.news.clear();
    this.#version = this.#versionNow;
    return true;
  }

  get #versionNow() {
    return this.#applied.version + this.#mending.version;
  }

  /** The array is to be made anew. */
  forget() {
    [this.#version, this.#madeOf] = [-1, null];
  }

  /** The place, among the messages as they were sent last, ahead of which the first `count` stored ones stand. @param {number} count */
  placeOf(count) {
    return this.outcome === null ? count : placeIn(this.outcome, count);
  }
}

/** How many messages are sent for the first `count`. @param {Outcome} outcome @param {number} count */
function placeIn(outcome, count) {
  let place = count;
  for (const gone of outcome.gone) if (gone < count) place--;
  for (const [behind, messages] of outcome.inserted) if (behind < count) place += messages.length;
  return place;
}

module.exports = { placeIn, SentMessages };
