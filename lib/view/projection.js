// @ts-check
'use strict';

const { Conversation } = require('../cleanup/conversation.js');
const { copyOfList } = require('../lists.js');
const { Applied } = require('./applied.js');
const { requestsIn, toldBy } = require('./boundaries.js');
const { SpokenLanguage } = require('../messages/users-language.js');
const { engineInLanguage } = require('./options.js');
const { isSentAlike } = require('../messages/likeness.js');
const { hostMarks, leadingSystem } = require('./marks.js');
const { Mending } = require('./mending.js');
const { Schedule } = require('./schedule.js');
const { SeenMessages } = require('./seen.js');
const { SentMessages } = require('./sent.js');
const { Beside } = require('./beside.js');
const { WeighedMessages } = require('./weighed.js');

/** Messages at the end that are read again each time: hosts fill results in and complete calls where they stand. */
const READ_AGAIN = 16;
/** Ids of forgotten messages stay numbered; with more than this many beyond those in use, start over. */
const MAX_UNUSED_IDS = 4096;
/** A message whose getter gives something else at each look is taken as it is after so many. */
const MOST_LOOKS = 3;

/**
 * @typedef {InstanceType<typeof import('../cleanup/engine.js').Engine>} Engine
 * @typedef {import('./schedule.js').Moment} Moment
 */

/**
 * One conversation as it is sent: which messages there were, which of their results are replaced, and the array that was
 * made of them. What it sends depends on the messages, the options and, with `memory: 'object'`, the times of its own
 * requests: a conversation that it has not seen from the beginning is played again, request by request.
 */
class Projection {
  /**
   * @param {Engine} engine
   * @param {Record<string, unknown>} options
   * @param {InstanceType<typeof import('./protection.js').Protection>} protection
   */
  constructor(engine, options, protection) {
    this.engine = engine;
    this.options = options;
    this.spoken = new SpokenLanguage(engine.dialect);
    /** Whether first sight stands for the time of what has none. */
    this.notesTimes = options.unknownAge === undefined;
    this.isByMessages = options.memory === 'messages';
    this.schedule = new Schedule(options);
    this.hasMarks = options.marks === true;
    /** Prefixes that the host has marked in the newest request. @type {readonly number[]} */ this.hostMarks = [];
    /** Whether other things stand ahead of the messages than with the last request. */
    this.isRestarted = false;
    this.conversation = new Conversation(engine);
    this.applied = new Applied(protection);
    this.mending = new Mending(engine.interruptedAnswer);
    this.seen = new SeenMessages();
    /** By message: its fingerprint, as far as somebody has asked. @type {(number | null)[]} */ this.marks = [];
    /** So many messages at the start have the marks and ages that were told. */ this.asTold = 0;
    this.weighed = new WeighedMessages(this.schedule, this.applied, this.mending);
    /** By message: the clock of the request that it was first sent with. @type {number[]} */ this.firstSeen = [];
    this.sent = new SentMessages(this.applied, this.mending, this.seen);
    /** Messages of which something waited before a rewind. @type {Set<number>} */ this.touched = new Set();
    /** Whether other requests of this conversation may have been sent before anybody saw one. */ this.isFirst = true;
    /** Whose messages it began with, behind another system prompt. @type {Projection | null} */
    this.branchedFrom = null;
    this.beside = new Beside(this.isByMessages);
    /** How many messages' ages come from another conversation, or from before an edit. @type {number | null} */
    this.inherited = null;
    /** Those behind an edit that was taken in ahead of the next request. @type {any[]} */ this.behind = [];
    /** The last request's number on the bill. */ this.number = -1;
  }

  /** The mark or the age of a message is another one, or that of one behind it. @param {number} index */
  changedFrom(index) {
    this.asTold = Math.min(this.asTold, index);
  }

  /**
   * All marks are told now, and all that is replaced.
   * @returns {{ from: number, rows: Iterable<number> }} what was not: messages from there on, and rows
   */
  tell() {
    const [from, rows] = [this.asTold, this.applied.untold ?? []];
    this.asTold = this.marks.length;
    this.applied.untold = new Set();
    return { from, rows };
  }

  /** What stands ahead of all messages, and when the messages were sent unseen. @param {import('./context-view.js').Ahead} ahead */
  setAhead({ tokens, marks, sentMs }) {
    const { schedule } = this;
    this.isRestarted ||= tokens !== schedule.fixed && (this.seen.length > 0 || schedule.requests > 0);
    schedule.fixed = tokens;
    schedule.outside = marks;
    if (sentMs !== undefined) schedule.state.touch(sentMs);
  }

  /**
   * Takes over the ages that messages had in another conversation, in the same places.
   * @param {Pick<Projection, 'firstSeen' | 'isByMessages'>} other
   * @param {readonly number[]} changed all but these
   */
  goOnFrom({ firstSeen, isByMessages }, changed) {
    if (isByMessages) return;
    this.firstSeen = firstSeen.slice();
    for (const index of changed) delete this.firstSeen[index];
    this.inherited = firstSeen.length;
  }

  /**
   * The next request of the conversation.
   * @param {readonly any[]} messages
   * @param {number} now
   * @param {ReturnType<Projection['seen']['compared']>} [told] what became of the messages of the last request
   */
  project(messages, now, told) {
    // A getter may add messages to the array while it is read: those belong to the next call.
    const taken = copyOfList(messages);
    this.schedule.system = leadingSystem(taken);
    this.hostMarks = hostMarks(taken);
    const from = this.#goTo(taken, now, told ?? this.seen.compared(taken));
    this.seen.remember(taken, from);
    return { ...this.sent.of(taken, from, this.conversation, this.schedule.lastNow() ?? now), number: this.number };
  }

  /**
   * The same messages once more, such as a retry: nothing is decided.
   * @param {readonly any[]} messages
   * @param {number} now
   * @param {ReturnType<Projection['seen']['compared']>} told
   */
  repeat(messages, now, { from }) {
    const taken = copyOfList(messages);
    const number = this.schedule.state.sideRequest(taken.length, 0, now);
    this.sent.isGrownOnly = from === this.seen.length;
    this.seen.remember(taken, from);
    return { ...this.sent.of(taken, from, this.conversation, this.schedule.lastNow() ?? now), number };
  }

  /**
   * Brings everything up to date with the messages and decides on their request.
   * @param {any[]} taken
   * @param {number} now
   * @param {ReturnType<Projection['seen']['compared']>} told
   * @returns {number} how many messages at the start are the same objects as before
   */
  #goTo(taken, now, { from, changed }) {
    const { seen } = this;
    const isNew = this.isFirst && seen.length === 0;
    this.sent.isGrownOnly = from === seen.length;
    let shared = this.isRestarted ? 0 : Math.min(changed[0] ?? Infinity, seen.length, taken.length);
    this.isRestarted = false;
    if (this.isByMessages) shared = toldBy(taken, shared, this.schedule);
    // Messages that an edit leaves as they were keep their age.
    const known = this.inherited ?? seen.length;
    this.inherited = null;
    this.behind = [];
    this.firstSeen.length = Math.min(known, taken.length);
    this.changedFrom(Math.min(this.firstSeen.length, changed[0] ?? Infinity));
    for (const index of changed) delete this.firstSeen[index];
    for (let look = 0; look < MOST_LOOKS; look++) {
      if (shared < this.weighed.length) this.goBack(taken, shared, now);
      const edited = this.#play(taken, { from: Math.min(from, shared), now, isNew, isLast: look === MOST_LOOKS - 1 });
      if (edited === undefined) break;
      this.changedFrom(edited);
      for (let index = edited; index < this.firstSeen.length; index++) delete this.firstSeen[index];
      shared = edited;
    }
    return Math.min(from, shared);
  }

  /** Goes back to the last request that had none but the first `shared` messages. @param {any[]} taken @param {number} shared @param {number} now */
  goBack(taken, shared, now) {
    const { conversation, applied, touched } = this;
    const { reached, changes } = this.schedule.truncate(shared);
    this.sent.isGrownOnly = false;
    if (this.marks.length > shared) this.marks.length = shared;
    // Where messages alone count, nothing tells that those behind the last request were sent before.
    const kept = this.isByMessages ? reached : shared;
    if (this.isByMessages) this.firstSeen.length = kept;
    this.changedFrom(kept);
    // The rules forget the messages behind them now: those that come next would pass for edits of them.
    conversation.firstSeen = this.notesTimes ? this.firstSeen : null;
    conversation.decide(taken.slice(0, kept), this.schedule.lastNow() ?? now, kept);
    const { layout, transcript } = conversation;
    applied.goBack(transcript.length, changes, (row) => touched.add(layout.ownerOf(row)));
    const { copies } = this.sent;
    for (const index of copies.keys()) if (index >= shared || touched.has(index)) copies.delete(index);
    this.weighed.truncate(shared, transcript.length);
    this.spoken.forget(shared);
  }

  /**
   * Decides on every request that is not decided on yet.
   * @param {any[]} taken
   * @param {{ from: number, now: number, isNew: boolean, isLast: boolean }} how `from`: so many messages are the same objects
   * @returns {number | undefined} the first message that turned out to be edited in place; nothing was decided then
   */
  #play(taken, { from, now, isNew, isLast }) {
    const { schedule, isByMessages } = this;
    const reached = schedule.reachedWith(this.weighed.length);
    let trusted = Math.max(0, Math.min(from, this.seen.length - READ_AGAIN));
    /** @type {any[]} */ const prefix = [];
    for (const { end, moment } of requestsIn(taken, { reached, last: schedule.lastNow(), now, isByMessages, isNew })) {
      const isPlayed = end < taken.length;
      for (let index = prefix.length; isPlayed && index < end; index++) prefix.push(taken[index]);
      const edited = this.#take(isPlayed ? prefix : taken, moment, trusted, isLast);
      if (edited !== undefined) return edited;
      trusted = end;
    }
    return undefined;
  }

  /**
   * One request: has the rules decide, and the schedule.
   * @param {any[]} prefix its messages
   * @param {Moment} moment
   * @param {number} trusted so many messages at the start are as they were
   * @param {boolean} isLast what changes with each look is taken as it is
   * @returns {number | undefined} as of {@link #play}
   */
  #take(prefix, moment, trusted, isLast) {
    const { conversation, applied, schedule, firstSeen } = this;
    const from = Math.min(this.weighed.length, firstSeen.length);
    for (let index = from; index < prefix.length; index++) {
      if (firstSeen[index] !== undefined) continue;
      firstSeen[index] = moment.now;
      this.changedFrom(index);
    }
    conversation.firstSeen = this.notesTimes ? firstSeen : null;
    const known = conversation.transcript.length;
    const isNumberedOut = conversation.transcript.numbering.ids.size - prefix.length > MAX_UNUSED_IDS;
    if (isNumberedOut) this.#readAnew(prefix, moment.now);
    else conversation.decide(prefix, moment.now, known === 0 ? 0 : trusted);
    const edited = isLast ? Infinity : this.firstEdited(prefix);
    if (edited < Infinity) return edited;
    if (this.#isInOtherLanguage(prefix)) this.#readAnew(prefix, moment.now);
    const { weighed, touched } = this;
    const reset = weighed.takeIn(prefix, this.conversation);
    schedule.messages = weighed.length;
    applied.sync(this.conversation, touched, weighed);
    weighed.mark(this.conversation.layout, reset, touched);
    for (const index of reset) this.sent.copies.delete(index);
    if (reset.size > 0) this.sent.isGrownOnly = false;
    this.touched.clear();
    schedule.tellMarks(this.hostMarks, this.isByMessages || Number.isNaN(moment.sent) ? prefix.length : null);
    return this.#decide(prefix, moment, isLast);
  }

  /** The first message that holds something else than before; a clone that a provider takes for the same doesn't. @param {any[]} prefix */
  firstEdited(prefix) {
    const { conversation, seen } = this;
    if (conversation.edited.length === 0) return Infinity;
    const isClone = (/** @type {number} */ index) =>
      prefix[index] !== seen.messages[index] && isSentAlike(prefix[index], seen.messages[index]);
    const messages = conversation.edited.map((row) => conversation.layout.ownerOf(row));
    return Math.min(Infinity, ...messages.filter((index) => !isClone(index)));
  }

  /**
   * Takes the user's language of by now, as soon as there is a placeholder to write; with the first one the language is settled.
   * @param {any[]} prefix
   * @returns {boolean} whether it is another
   */
  #isInOtherLanguage(prefix) {
    const { applied, mending, conversation } = this;
    const { editCount, answered } = conversation.decision;
    if (editCount + answered.length === 0 || applied.replaced.size + mending.mended.size > 0) return false;
    const engine = engineInLanguage(this.engine, this.options, () => this.spoken.of(prefix));
    if (engine === undefined) return false;
    this.engine = engine;
    mending.answer = engine.interruptedAnswer;
    return true;
  }

  /** Starts the rules over: in another language, or when they have numbered too many ids that are gone. @param {any[]} prefix @param {number} now */
  #readAnew(prefix, now) {
    const { firstSeen } = this.conversation;
    this.conversation = new Conversation(this.engine);
    this.conversation.firstSeen = firstSeen;
    this.conversation.decide(prefix, now, 0);
    const { applied, touched, conversation } = this;
    // Another placeholder has another length, so what waits is weighed anew.
    applied.goBack(conversation.transcript.length, Infinity, (row) => touched.add(conversation.layout.ownerOf(row)));
  }

  /**
   * Decides whether anything is replaced with this request. Before something is, all messages are read again, because a
   * host may have edited one in place.
   * @param {any[]} prefix
   * @param {Moment} moment
   * @param {boolean} isLast
   */
  #decide(prefix, moment, isLast) {
    const { schedule, applied, conversation } = this;
    let decided = schedule.begin(moment);
    let isVerified = isLast || Number.isNaN(moment.sent);
    while (!decided.isTaken) {
      if (!isVerified) {
        isVerified = true;
        conversation.decide(prefix, moment.now, 0);
        const edited = this.firstEdited(prefix);
        if (edited < Infinity) return edited;
      }
      const { positions } = decided;
      const rows = applied.replace(conversation, positions, decided.changes + 1);
      if (this.sent.makeCopies(prefix, conversation, moment.now)) {
        decided = schedule.take(moment, positions);
        continue;
      }
      applied.putBack(rows);
      /** @type {Set<number>} */
      const touched = new Set(positions);
      applied.sync(conversation, touched, this.weighed);
      this.weighed.mark(conversation.layout, new Set(), touched);
      decided = schedule.begin(moment);
    }
    this.number = decided.number;
    return undefined;
  }
}

module.exports = { Projection };
