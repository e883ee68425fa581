// @ts-check
'use strict';

const { Conversation } = require('../cleanup/conversation.js');
const { outcomeOf } = require('../cleanup/outcome.js');
const { copyOf } = require('../lists.js');
const { Applied } = require('./applied.js');
const { exportedEarlier, readEarlier, takeUp } = require('./earlier.js');
const { Mending } = require('./mending.js');
const { LastReport } = require('./last-report.js');
const { SpokenLanguage } = require('../messages/users-language.js');
const { engineInLanguage } = require('./options.js');
const { Schedule } = require('./schedule.js');
const { SeenMessages } = require('./seen.js');
const { knownAgain } = require('./state.js');
const { WeighedMessages } = require('./weighed.js');

/** Messages at the end that are read again each time: hosts fill results in and complete calls where they stand. */
const READ_AGAIN = 16;
/** Ids of forgotten messages stay numbered; with more than this many beyond those in use, start over. */
const MAX_UNUSED_IDS = 4096;

/**
 * @typedef {InstanceType<typeof import('../cleanup/engine.js').Engine>} Engine
 * @typedef {import('./schedule.js').Decided} Decided
 * @typedef {import('./earlier.js').Earlier} Earlier
 */

/**
 * One conversation as it is sent: which messages there were, which of their results are replaced, and the array that was
 * made of them.
 */
class Projection {
  /**
   * @param {Engine} engine
   * @param {unknown} scheduleOptions
   * @param {boolean} notesTimes whether first sight stands for the time of what has none
   */
  constructor(engine, scheduleOptions, notesTimes) {
    this.engine = engine;
    /** The view's, which an export holds. @type {Record<string, unknown>} */
    this.options = /** @type {Record<string, unknown>} */ (scheduleOptions);
    this.spoken = new SpokenLanguage(engine.dialect);
    this.notesTimes = notesTimes;
    this.schedule = new Schedule(scheduleOptions);
    this.conversation = new Conversation(engine);
    this.applied = new Applied();
    this.mending = new Mending(engine.interruptedAnswer);
    this.seen = new SeenMessages();
    this.weighed = new WeighedMessages(this.schedule, this.applied, this.mending);
    /** By message: when it was first seen. @type {number[]} */ this.firstSeen = [];
    /** Copies that were made, by message. @type {import('../cleanup/outcome.js').Copies} */ this.copies = new Map();
    /** The array as it was sent last. @type {any[]} */ this.sent = [];
    /** @type {InstanceType<typeof import('../cleanup/outcome.js').Outcome> | null} */ this.outcome = null;
    this.sentVersion = -1;
    /** Whether messages were only added at the end since the last request. */
    this.isGrownOnly = false;
    this.reported = new LastReport();
    /** @type {Earlier | null} */ this.earlier = null;
    /** Lengths of the last two requests, and what was decided on the last. */
    this.lastEnd = -1;
    this.end = -1;
    /** @type {Decided | null} */ this.decided = null;
    /** When the last request was. */ this.lastNow = 0;
    /** Messages that an export found edited in place, with no request since. @type {number[]} */ this.edited = [];
  }

  /**
   * @param {readonly any[]} messages
   * @param {number} now
   */
  project(messages, now) {
    // A getter may add messages to the array while it is read: those belong to the next call.
    const taken = copyOf(messages);
    // A clock that was set back makes nothing older that comes now.
    this.lastNow = Math.max(this.lastNow, now);
    const { from } = this.#takeIn(taken, now);
    this.edited = [];
    this.#decide(taken, now);
    // From the first placeholder on the language stays, in an export, too.
    if (this.applied.replaced.size + this.mending.mended.size > 0)
      this.options.placeholderLanguage = this.engine.spec.options?.placeholderLanguage;
    const isRebuilt = this.#rebuild(taken, from, now);
    this.lastEnd = this.end;
    this.end = this.sent.length - 1;
    return {
      messages: this.sent.slice(),
      report: this.reported.of(() => this.#shown(), taken, this.conversation.decision, isRebuilt),
    };
  }

  /**
   * Takes in the messages that the host has edited in place since the last request. An export marks messages by their
   * content at that time, so decisions on their earlier content must be gone from it.
   */
  takeInEdits() {
    if (this.seen.length === 0) return;
    const { changed } = this.#takeIn(copyOf(this.seen.messages), this.lastNow);
    if (changed.length === 0) return;
    this.edited = [...new Set([...this.edited, ...changed])].sort((a, b) => a - b);
    this.schedule.unfounded = this.applied.unfoundedMessages(this.conversation.layout);
    this.schedule.plan(this.lastNow);
    this.sentVersion = -1;
  }

  /**
   * Brings everything but the decision up to date with the messages.
   * @param {readonly any[]} taken
   * @param {number} now
   * @returns {{ from: number, changed: number[] }} `from` counts the messages at the start that are the same objects as
   *   before; `changed` lists later ones with another content
   */
  #takeIn(taken, now) {
    const from = this.seen.unchangedFrom(taken);
    const changed = this.seen.changedSince(taken, from);
    const engine = engineInLanguage(this.engine, this.options, () => this.spoken.of(taken, from));
    const { ids } = this.conversation.transcript.numbering;
    if (engine !== undefined || ids.size - taken.length > MAX_UNUSED_IDS) {
      this.earlier ??= readEarlier(this, changed);
      this.engine = engine ?? this.engine;
      this.mending.answer = this.engine.interruptedAnswer;
      this.conversation = new Conversation(this.engine);
    }
    // Messages that an edit leaves as they were keep their age.
    this.firstSeen.length = Math.min(this.seen.length, taken.length);
    for (let index = this.firstSeen.length; index < taken.length; index++) this.firstSeen.push(this.lastNow);
    const touched = this.#read(taken, now, from, changed);
    const reset = this.weighed.tell(taken, this.conversation, changed, touched);
    for (const index of reset) this.copies.delete(index);
    this.isGrownOnly = from === this.seen.length && taken.length >= from;
    this.seen.remember(taken, from);
    return { from, changed };
  }

  /**
   * Has the rules decide, and updates which results wait and which are replaced.
   * @param {readonly any[]} taken
   * @param {number} now
   * @param {number} from how many messages at the start are as they were
   * @param {number[]} changed messages that aren't; those that only the rules found are added
   * @returns {Set<number>} messages of which something else waits now
   */
  #read(taken, now, from, changed) {
    const { conversation, applied } = this;
    const before = conversation.transcript.length;
    /** @type {Set<number>} */
    const touched = new Set();
    conversation.firstSeen = this.notesTimes ? this.firstSeen : null;
    conversation.edited = changed;
    conversation.editedBefore = this.edited.filter((index) => index < taken.length);
    const trusted = before === 0 ? 0 : Math.max(0, Math.min(from, this.seen.length - READ_AGAIN));
    conversation.decide(taken, now, trusted);
    if (this.earlier !== null) {
      takeUp(this, this.earlier, changed, touched);
      this.earlier = null;
    } else if (conversation.kept < before || conversation.patched.length > 0) {
      this.#forget((message) => changed.push(message));
      this.weighed.addEditedInside(taken, conversation, changed);
      applied.noteUnfounded(conversation);
    }
    applied.sync(conversation, touched);
    return touched;
  }

  /** Forgets what was decided on rows that are not what they were. @param {(message: number) => unknown} note is told their messages */
  #forget(note) {
    const { conversation, applied } = this;
    const { kept, patched, layout, transcript } = conversation;
    for (const row of [...applied.replaced.keys()]) {
      if (row < transcript.length && (row >= kept || patched.includes(row))) note(layout.ownerOf(row));
    }
    applied.forget(kept, patched);
  }

  /**
   * Decides whether anything is replaced now. Before something is, all messages are read again, because a host may have
   * edited one in place.
   * @param {readonly any[]} taken
   * @param {number} now
   */
  #decide(taken, now) {
    const { schedule, applied, conversation } = this;
    let decided = this.#begin(now);
    for (let isVerified = false; !decided.isTaken; decided = this.#begin(now)) {
      /** @type {Set<number>} */
      const reset = new Set();
      if (decided.restored.length > 0) {
        this.#restore(decided.restored);
      } else if (isVerified) {
        const before = applied.remembered();
        applied.replace(conversation, decided.positions);
        if (this.#makeCopies(taken, now)) {
          const { positions } = decided;
          decided = { ...schedule.take(now), positions };
          break;
        }
        applied.goBackTo(before);
      } else {
        isVerified = true;
        this.#readAgain(taken, now, reset);
      }
      /** @type {Set<number>} */
      const touched = new Set();
      applied.sync(conversation, touched);
      this.weighed.mark(conversation.layout, reset, touched);
    }
    this.decided = decided;
  }

  /** @param {number} now */
  #begin(now) {
    const { schedule, applied, conversation } = this;
    schedule.unfounded = applied.unfoundedMessages(conversation.layout);
    return schedule.begin(now);
  }

  /** Sends messages in full again; their outdated results wait again. @param {readonly number[]} messages */
  #restore(messages) {
    this.applied.restore(this.conversation.layout, messages);
    for (const message of messages) this.copies.delete(message);
    this.schedule.restored.push(...messages);
    this.isGrownOnly = false;
  }

  /** @param {readonly any[]} taken @param {number} now @param {Set<number>} reset gets the messages that are not what they were */
  #readAgain(taken, now, reset) {
    const { conversation } = this;
    const before = conversation.transcript.length;
    conversation.decide(taken, now, 0);
    const { kept, patched, layout } = conversation;
    if (kept === before && patched.length === 0) return;
    this.#forget((message) => reset.add(message));
    this.applied.noteUnfounded(conversation);
    for (const row of patched) reset.add(layout.ownerOf(row));
    if (kept < conversation.transcript.length) reset.add(layout.ownerOf(kept));
    for (const index of this.mending.update(conversation, true)) reset.add(index);
    this.weighed.change(taken, reset);
    for (const index of reset) this.copies.delete(index);
    this.isGrownOnly = false;
  }

  /** Makes the copies with placeholders; false where a message can't be copied, which is left alone from then on. @param {readonly any[]} taken @param {number} now */
  #makeCopies(taken, now) {
    const { conversation, applied } = this;
    let isRefused = false;
    const leaveAlone = (/** @type {number} */ row) => {
      isRefused = true;
      applied.forget(Number.POSITIVE_INFINITY, [row]);
      conversation.leaveAlone(row, now);
      throw new Error('a message that can not be copied');
    };
    try {
      this.outcome = outcomeOf(taken, /** @type {any} */ ({ ...this.#shown(), leaveAlone }), now, this.copies);
      return true;
    } catch (error) {
      if (!isRefused) throw error;
      return false;
    }
  }

  /** The replaced results in the form of a conversation's decision. */
  #shown() {
    const { engine, conversation, applied } = this;
    const { layout, transcript, state } = conversation;
    const decision = applied.asDecision(conversation);
    const textOf = (/** @type {number} */ edit) => /** @type {string} */ (decision.texts?.[edit]);
    return { engine, layout, transcript, state, decision, textOf, changes: null };
  }

  /**
   * Brings the array that is sent up to date.
   * @param {readonly any[]} taken
   * @param {number} from
   * @param {number} now
   * @returns {boolean} whether more changed than that messages were added
   */
  #rebuild(taken, from, now) {
    const { applied, mending, sent, copies } = this;
    if (this.isGrownOnly && applied.version + mending.version === this.sentVersion) {
      for (let index = from; index < taken.length; index++) sent.push(taken[index]);
      return false;
    }
    // A copy may fail that was made before; then its message is left alone, and the others are copied again.
    while (!this.#makeCopies(taken, now));
    const outcome = /** @type {NonNullable<typeof this.outcome>} */ (this.outcome);
    this.sent = mending.sent(outcome, copies);
    this.sentVersion = applied.version + mending.version;
    this.seen.watch(taken, [...outcome.changed.keys()]);
    return true;
  }

  /**
   * Goes on where another process left off.
   * @param {readonly any[]} messages
   * @param {import('../entry/types/view.js').ContextViewState} state
   */
  resume(messages, state) {
    const { schedule, messages: marks, firstSeen, mended, ends, edited } = state;
    const known = Math.min(knownAgain(messages, marks), schedule.tokens.length, firstSeen.length);
    this.schedule.state.restore(JSON.stringify(schedule));
    this.seen.resume(messages, known);
    this.weighed.tokens = schedule.tokens.slice(0, known);
    this.firstSeen = firstSeen.slice(0, known);
    this.edited = (edited ?? []).filter((index) => index < known);
    this.earlier = exportedEarlier(state, known);
    this.mending.mended = new Map(mended.map(([index, isGone, added]) => [index, { isGone, added }]));
    [this.lastEnd, this.end] = ends;
  }
}

module.exports = { Projection };
