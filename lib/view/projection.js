// @ts-check
'use strict';

const { Conversation } = require('../cleanup/conversation.js');
const { outcomeOf } = require('../cleanup/outcome.js');
const { lazyReport } = require('../cleanup/report.js');
const { copyOf } = require('../lists.js');
const { Applied, editsByRow, savingOf } = require('./applied.js');
const { bodyOf, isSentAlike, leavesOf, stillHolds } = require('./likeness.js');
const { Mending } = require('./mending.js');
const { Schedule } = require('./schedule.js');
const { knownAgain } = require('./state.js');
const { weightOf } = require('./weight.js');

/** Messages at the end that are read again each time: hosts fill results in and complete calls where they stand. */
const READ_AGAIN = 16;
/** Ids of forgotten messages stay numbered; with more than this many beyond those in use, start over. */
const MAX_UNUSED_IDS = 4096;

/**
 * @typedef {InstanceType<typeof import('../cleanup/engine.js').Engine>} Engine
 * @typedef {import('./schedule.js').Decided} Decided
 * @typedef {object} Earlier what another process, or an earlier reading, knew of the same messages
 * @property {number} messages so many at the start are the same
 * @property {[number, number, string][]} replaced row, rule, text
 * @property {number[]} unfounded rows of them that no rule condemned any more
 * @property {number[]} waiting messages of which something waited
 * @property {boolean} isCutShort whether there were more messages
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
    this.notesTimes = notesTimes;
    this.schedule = new Schedule(scheduleOptions);
    this.conversation = new Conversation(engine);
    this.applied = new Applied();
    this.mending = new Mending(engine.interruptedAnswer);
    /** @type {any[]} */ this.seen = [];
    /** By message: what it held. @type {unknown[]} */ this.bodies = [];
    /** By message: what it weighs as it is stored, with what mends it. @type {number[]} */ this.tokens = [];
    /** By message: when it was first seen. @type {number[]} */ this.firstSeen = [];
    /** Copies that were made, by message. @type {import('../cleanup/outcome.js').Copies} */ this.copies = new Map();
    /** What the originals of replaced messages held. @type {{ index: number, message: any, leaves: ReturnType<typeof leavesOf> }[]} */
    this.watched = [];
    /** The array as it was sent last. @type {any[]} */ this.sent = [];
    /** @type {InstanceType<typeof import('../cleanup/outcome.js').Outcome> | null} */ this.outcome = null;
    this.sentVersion = -1;
    /** Whether the last array was the one before with more at its end. */
    this.isGrownOnly = false;
    /** @type {import('../entry/index.js').CleanupReport | null} */ this.report = null;
    /** @type {InstanceType<typeof import('../cleanup/conversation.js').Decision> | null} */ this.reported = null;
    /** @type {Earlier | null} */ this.earlier = null;
    /** Lengths of the last two requests, and what was decided on the last. */
    this.lastEnd = -1;
    this.end = -1;
    /** @type {Decided | null} */ this.decided = null;
    /** When the last request was. */ this.lastNow = 0;
    /** Messages that an export found edited where they stand, with no request since. @type {number[]} */ this.edited =
      [];
  }

  /**
   * @param {readonly any[]} messages
   * @param {number} now
   */
  project(messages, now) {
    // What a getter adds to the array while it is read is of the next call.
    const taken = copyOf(messages);
    const { from } = this.#takeIn(taken, now);
    this.edited = [];
    this.lastNow = now;
    this.#decide(taken, now);
    const isRebuilt = this.#rebuild(taken, from, now);
    this.lastEnd = this.end;
    this.end = this.sent.length - 1;
    return { messages: this.sent.slice(), report: this.#reportOn(taken, isRebuilt) };
  }

  /**
   * Takes in what the host has edited where it stands since the last request: an export tells messages from others by what
   * they hold by then, and what was decided on what they held before is no longer of them.
   */
  takeInEdits() {
    if (this.seen.length === 0) return;
    const { changed } = this.#takeIn(copyOf(this.seen), this.lastNow);
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
   * @returns {{ from: number, changed: number[] }} so many messages at the start are the objects they were; those behind that
   *   say something else
   */
  #takeIn(taken, now) {
    const from = this.#unchangedFrom(taken);
    const changed = this.#changedSince(taken, from);
    if (this.conversation.transcript.numbering.ids.size - taken.length > MAX_UNUSED_IDS) this.#startOver(changed);
    // What an edit leaves as it was is as old as before.
    this.firstSeen.length = Math.min(this.seen.length, taken.length);
    for (let index = this.firstSeen.length; index < taken.length; index++) this.firstSeen.push(now);
    const touched = this.#read(taken, now, from, changed);
    this.#tell(taken, changed, touched);
    this.isGrownOnly = from === this.seen.length && taken.length >= from;
    this.#remember(taken, from);
    return { from, changed };
  }

  /** The first message that is another object than before, or holds something else. @param {readonly any[]} taken */
  #unchangedFrom(taken) {
    const { seen, bodies, watched } = this;
    const end = Math.min(seen.length, taken.length);
    let same = firstOther(taken, seen, bodies, end);
    for (const { index, message, leaves } of watched) {
      if (index >= same) break;
      if (!stillHolds(message, leaves)) same = index;
    }
    return same;
  }

  /** The messages from `from` on that a provider would not take for what they were. @param {readonly any[]} taken @param {number} from */
  #changedSince(taken, from) {
    const { seen, bodies } = this;
    const end = Math.min(seen.length, taken.length);
    const changed = [];
    const edited = new Set();
    for (const { index, message, leaves } of this.watched) {
      if (index >= from && !stillHolds(message, leaves)) edited.add(index);
    }
    for (let index = from; index < end; index++) {
      if (edited.has(index) || safeBody(seen[index]) !== bodies[index] || !isSentAlike(taken[index], seen[index])) {
        changed.push(index);
        this.copies.delete(index);
      }
    }
    return changed;
  }

  /**
   * Has the rules decide, and brings what waits and what is replaced up to date.
   * @param {readonly any[]} taken
   * @param {number} now
   * @param {number} from so many messages at the start are as they were
   * @param {number[]} changed messages that aren't; gets those that only the rules could tell
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
    if (this.earlier !== null) this.#takeUp(this.earlier, changed, touched);
    else if (conversation.kept < before || conversation.patched.length > 0) {
      this.#forget((message) => changed.push(message));
      this.#addEditedInside(taken, changed);
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
   * Adds the messages whose objects and bodies are the same and that weigh something else: hosts complete calls and fill
   * in parts where they stand.
   * @param {readonly any[]} taken
   * @param {number[]} changed
   */
  #addEditedInside(taken, changed) {
    const { conversation, mending, tokens } = this;
    const { kept, patched, layout, transcript } = conversation;
    const end = Math.min(tokens.length, taken.length);
    const suspects = new Set(patched.map((row) => layout.ownerOf(row)));
    if (kept < transcript.length) for (let index = layout.ownerOf(kept); index < end; index++) suspects.add(index);
    for (const index of suspects) {
      if (index < end && mending.weight(index, weightOf(taken[index])) !== tokens[index]) changed.push(index);
    }
  }

  /**
   * What was replaced before stays so.
   * @param {Earlier} earlier
   * @param {number[]} changed gets the messages of which something was replaced that is sent as it is now
   * @param {Set<number>} touched gets the messages of which something waited
   */
  #takeUp({ messages, replaced, unfounded, waiting, isCutShort }, changed, touched) {
    const { conversation, applied, engine } = this;
    const { layout, transcript } = conversation;
    const edits = editsByRow(conversation);
    applied.forget(0, []);
    for (const [row, rule, text] of replaced) {
      const index = row < transcript.length ? layout.ownerOf(row) : messages;
      if (index >= messages) continue;
      if (transcript.contents[row] === undefined || rule >= engine.ruleNames.length) {
        changed.push(index);
        continue;
      }
      const groups = edits.get(row)?.groups ?? [];
      applied.keep(row, { rule, text, groups, saved: savingOf(conversation, row, text) });
    }
    for (const index of waiting) touched.add(index);
    if (isCutShort) applied.noteUnfounded(conversation);
    else for (const row of unfounded) if (applied.replaced.has(row)) applied.unfounded.add(row);
    this.earlier = null;
  }

  /**
   * Tells the schedule what is new.
   * @param {readonly any[]} taken
   * @param {readonly number[]} changed messages
   * @param {Set<number>} touched messages of which something else waits
   */
  #tell(taken, changed, touched) {
    const { schedule, mending, tokens } = this;
    const end = Math.min(tokens.length, taken.length);
    const mended = mending.update(this.conversation);
    const reset = new Set([...changed, ...mended].filter((index) => index < end).sort((a, b) => a - b));
    schedule.messages = taken.length;
    schedule.keep = end;
    tokens.length = end;
    for (const index of reset) this.#change(taken, index);
    for (let index = end; index < taken.length; index++) {
      const weight = mending.weight(index, weightOf(taken[index]));
      tokens.push(weight);
      schedule.pushed.push(weight);
    }
    this.#mark(reset, touched);
  }

  /** @param {readonly any[]} taken @param {number} index of a message that is another now */
  #change(taken, index) {
    const weight = this.mending.weight(index, weightOf(taken[index]));
    this.tokens[index] = weight;
    this.schedule.changed.push(index, weight);
    this.copies.delete(index);
  }

  /**
   * @param {Set<number>} reset messages that the schedule takes for new
   * @param {Set<number>} touched messages of which something else waits
   */
  #mark(reset, touched) {
    const { schedule, applied, conversation, tokens } = this;
    for (const message of new Set([...reset, ...touched])) {
      const stored = tokens[message];
      if (stored === undefined) continue;
      const { replaced, pending, waits } = applied.savings(conversation.layout, message);
      if (replaced !== 0 && reset.has(message)) schedule.kept.push(message, Math.max(1, stored - replaced));
      if (waits) schedule.marked.push(message, Math.max(1, stored - replaced - pending));
      else schedule.unmarked.push(message);
    }
  }

  /**
   * Decides whether anything is replaced now. Before that all messages are read again: what a host has edited where it
   * stands must not be judged by what it was.
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
      this.#mark(reset, touched);
    }
    this.decided = decided;
  }

  /** @param {number} now */
  #begin(now) {
    const { schedule, applied, conversation } = this;
    schedule.unfounded = applied.unfoundedMessages(conversation.layout);
    return schedule.begin(now);
  }

  /** Sends messages in full again; what of them is outdated waits. @param {readonly number[]} messages */
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
    for (const index of this.mending.update(conversation)) reset.add(index);
    for (const index of [...reset].sort((a, b) => a - b)) this.#change(taken, index);
    this.isGrownOnly = false;
  }

  /** Makes copies of what is replaced; false where one can't be made: then it stays as it is. @param {readonly any[]} taken @param {number} now */
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

  /** What is replaced, in the form of a conversation's decision. */
  #shown() {
    const { engine, conversation, applied } = this;
    const { layout, transcript, state } = conversation;
    const decision = applied.asDecision(conversation);
    const textOf = (/** @type {number} */ edit) => /** @type {string} */ (decision.texts?.[edit]);
    return { engine, layout, transcript, state, decision, textOf, changes: null };
  }

  /** @param {readonly any[]} taken @param {number} from */
  #remember(taken, from) {
    const { seen, bodies } = this;
    seen.length = from;
    bodies.length = from;
    for (let index = from; index < taken.length; index++) {
      seen.push(taken[index]);
      bodies.push(safeBody(taken[index]));
    }
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
    // A copy that was made before may be refused now; what is left alone needs none.
    while (!this.#makeCopies(taken, now));
    const outcome = /** @type {NonNullable<typeof this.outcome>} */ (this.outcome);
    this.sent = mending.sent(outcome, copies);
    this.sentVersion = applied.version + mending.version;
    this.watched = [...outcome.changed.keys()]
      .sort((a, b) => a - b)
      .map((index) => ({ index, message: taken[index], leaves: leavesOf(taken[index]) }));
    return true;
  }

  /** @param {readonly any[]} taken @param {boolean} isRebuilt */
  #reportOn(taken, isRebuilt) {
    const { decision } = this.conversation;
    const before = this.reported;
    const isSame =
      !isRebuilt &&
      before !== null &&
      before.forms === decision.forms &&
      before.unknownTimes === decision.unknownTimes &&
      before.inSeconds === decision.inSeconds;
    if (!isSame || this.report === null) {
      this.reported = decision;
      this.report = lazyReport(/** @type {any} */ (this.#shown()), taken);
    }
    return this.report;
  }

  /**
   * Goes on where another process left off.
   * @param {readonly any[]} messages
   * @param {import('../entry/types/view.js').ContextViewState} state
   */
  resume(messages, { schedule, messages: marks, firstSeen, replaced, unfounded, mended, ends, edited }) {
    const known = Math.min(knownAgain(messages, marks), schedule.tokens.length, firstSeen.length);
    this.schedule.state.restore(JSON.stringify(schedule));
    this.seen = copyOf(messages, 0, known);
    this.bodies = this.seen.map(safeBody);
    this.tokens = schedule.tokens.slice(0, known);
    this.firstSeen = firstSeen.slice(0, known);
    this.edited = (edited ?? []).filter((index) => index < known);
    const waiting = schedule.pending.map(([position]) => position);
    this.earlier = { messages: known, replaced, unfounded, waiting, isCutShort: known < marks.length };
    this.mending.mended = new Map(mended.map(([index, isGone, added]) => [index, { isGone, added }]));
    [this.lastEnd, this.end] = ends;
  }

  /** Reads everything anew, and keeps what is replaced ahead of the first change. @param {number[]} changed gets what isn't kept */
  #startOver(changed) {
    const { applied, conversation, seen } = this;
    const { layout } = conversation;
    const messages = changed[0] ?? seen.length;
    for (const row of applied.replaced.keys()) {
      const index = layout.ownerOf(row);
      if (index >= messages) changed.push(index);
    }
    const replaced = /** @type {Earlier['replaced']} */ (
      [...applied.replaced].map(([row, { rule, text }]) => [row, rule, text])
    );
    const waiting = [...applied.pending.keys()].map((row) => layout.ownerOf(row));
    this.earlier = { messages, replaced, unfounded: [...applied.unfounded], waiting, isCutShort: true };
    this.conversation = new Conversation(this.engine);
  }
}

/**
 * The first message that is another object, or has another body. This runs over all messages before every request.
 * @param {readonly any[]} taken
 * @param {readonly any[]} seen
 * @param {readonly unknown[]} bodies
 * @param {number} end
 */
function firstOther(taken, seen, bodies, end) {
  let at = 0;
  try {
    for (; at < end; at++) {
      const message = taken[at];
      if (message !== seen[at]) return at;
      if (typeof message !== 'object' || message === null) continue;
      const { content } = message;
      if (content !== bodies[at] && (content !== undefined || bodyOf(message) !== bodies[at])) return at;
    }
  } catch {
    // A getter or a proxy throws: whatever it is, it is read anew.
  }
  return at;
}

/** @param {any} message */
function safeBody(message) {
  try {
    return bodyOf(message);
  } catch {
    return undefined;
  }
}

module.exports = { Projection };
