// @ts-check
'use strict';

const { hasRecord } = require('../compression/record.js');
const native = require('../native.js');
const { deliverLog, isLogWanted, prepareLog, sayOnce } = require('../log.js');
const { Table } = require('../messages/table.js');
const { total } = require('../messages/unrecognised.js');
const { commonPrefix } = require('./compare.js');
const { lazyReport } = require('./report.js');
const { KIND, TOOL } = require('./row-flags.js');
const { Transcript } = require('./transcript.js');
const wire = require('./wire.js');

const { EDIT, EDIT_NUMBERS } = wire;

/** @typedef {InstanceType<typeof import('./engine.js').Engine>} Engine */

/** @type {readonly number[]} */ const NONE = Object.freeze([]);
const NO_FORMS = Object.freeze({});

/**
 * N-API copies the start of a string only; this gives the core the last `units` of a string up to and with the only
 * `unit` in it, nothing where there are several.
 * @param {unknown} text @param {number} unit @param {number} units
 */
function toOnly(text, unit, units) {
  if (typeof text !== 'string') return '';
  const mark = String.fromCharCode(unit);
  const end = text.lastIndexOf(mark) + 1;
  return end > 0 && text.indexOf(mark) < end - 1 ? undefined : text.slice(Math.max(0, end - units), end);
}

/**
 * The requests that are decided on: those before the newest, with how many messages each had, and the number of the first one. `areAll`:
 * whatever was decided before is forgotten.
 * @typedef {{ earlier: readonly { end: number, now: number }[], first: number, areAll: boolean }} Requests
 */
/** @type {Requests} */
const NEWEST_ONLY = Object.freeze({ earlier: Object.freeze([]), first: 0, areAll: false });

/** What the core decided, by row. It is valid from `validFrom` until `validUntil`. */
class Decision {
  constructor() {
    this.validFrom = Number.POSITIVE_INFINITY;
    this.validUntil = Number.NEGATIVE_INFINITY;
    /** Rows that are left out, ascending. @type {readonly number[]} */ this.dropped = NONE;
    /** Calls that get an answer in place of a result, ascending. @type {readonly number[]} */ this.answered = NONE;
    /** Calls that are left out of their messages, since another one there has the same id; ascending. @type {readonly number[]} */
    this.repeated = NONE;
    /** How many of `dropped` and `repeated` go because another result, or another call of their id, stays. */
    this.duplicates = 0;
    /** Replaced rows in the order of decision. Later decisions add to the same list: `editCount` are this one's. @type {number[]} */
    this.edits = [];
    this.editCount = 0;
    /** How many edits at the start the decision before had, too. */
    this.keptEdits = 0;
    /** Numbers of the core's groups (paths, say), edit after edit. @type {number[]} */ this.groups = [];
    /** The placeholder of each edit. @type {string[]} */ this.texts = [];
    /** Results whose time came in seconds. */
    this.inSeconds = 0;
    /** Results that are sent though their calls are not among the messages. */
    this.unmatchedResults = 0;
    /** Results that a rule looked at and that have no time. */
    this.unknownTimes = 0;
    /** @type {import('../messages/unrecognised.js').FormCounts} */ this.forms = NO_FORMS;
    /** @type {import('../../index.js').CleanupReport | null} */ this.report = null;
  }

  /** @param {number} edit */
  rowOf(edit) {
    return /** @type {number} */ (this.edits[edit * EDIT_NUMBERS + EDIT.row]);
  }

  /** @param {number} edit */
  ruleOf(edit) {
    return /** @type {number} */ (this.edits[edit * EDIT_NUMBERS + EDIT.rule]);
  }

  /** The number of the request at which the result was first outdated. @param {number} edit */
  requestOf(edit) {
    return /** @type {number} */ (this.edits[edit * EDIT_NUMBERS + EDIT.request]);
  }

  /** @param {number} edit */
  groupCountOf(edit) {
    return /** @type {number} */ (this.edits[edit * EDIT_NUMBERS + EDIT.groups]);
  }
}

/** A decision without edits, valid for good. @param {number} now */
function nothingFrom(now) {
  const decision = new Decision();
  [decision.validFrom, decision.validUntil] = [now, Number.POSITIVE_INFINITY];
  return decision;
}

/** One conversation as it was last seen. An agent asks again with an array that only grew, so only what is new goes to the core. */
class Conversation {
  /** @type {InstanceType<typeof native.ConversationState> | null} */ #state = null;
  /** The core is not asked as long as nobody calls a tool. */ #isTold = false;

  /** @param {Engine} engine */
  constructor(engine) {
    this.engine = engine;
    this.transcript = new Transcript(engine, (name) => this.state.addName(name));
    this.decision = new Decision();
    this.layout = new Table(engine.dialect);
    /** By row: the object that was found to be plain data. @type {unknown[]} */ this.plain = [];
    /** @type {InstanceType<typeof import('./changes.js').Changes> | null} */ this.changes = null;
    /** The messages by which the conversation is found again. @type {object[]} */ this.anchors = [];
    /** The length of the array when the anchors were set. */ this.anchoredAt = Number.NEGATIVE_INFINITY;
    /** True during a decision: a getter of a message may call back into this package. */
    this.busy = false;
    /** By message, for results without a time; null where first sight doesn't count. @type {number[] | null} */ this.firstSeen =
      null;
    /** Earlier rows that the last decision found changed. @type {readonly number[]} */ this.edited = NONE;
  }

  get state() {
    this.#state ??= new native.ConversationState(this.engine.policy);
    return this.#state;
  }

  /**
   * @param {readonly unknown[]} messages
   * @param {number} now
   * @param {number} [trusted] so many messages at the start are known to be unchanged
   * @param {Requests} [requests] decided on one after the other
   * @param {boolean} [isAgain] forms were found out again: a message that changes with each look is taken as it is
   * @returns {Decision}
   */
  decide(messages, now, trusted = 0, requests = NEWEST_ONLY, isAgain = false) {
    const { transcript, decision, layout } = this;
    layout.update(messages, trusted);
    const { rows, alike } = layout;
    const { length } = rows;
    /** @type {number[]} */
    const patched = [];
    const known = Math.min(Math.max(layout.rowOf(trusted), layout.found), alike, transcript.length);
    const keep = commonPrefix(transcript, rows, known, alike, patched);
    if (!isAgain) this.edited = keep < transcript.length ? [...patched, keep] : patched.slice();
    if (!isAgain && patched.length > 0 && layout.renew(patched)) return this.#afresh(messages, now, requests);
    if (!requests.areAll && keep === length && keep === transcript.length && patched.length === 0) {
      if (now >= decision.validFrom && now <= decision.validUntil) return decision;
    }
    transcript.truncate(keep);
    if (this.plain.length > keep) this.plain.length = keep;
    const end = transcript.length;
    if (requests.areAll) for (let row = 0; row < end; row++) transcript.see(row, this.firstSeen?.[layout.ownerOf(row)]);
    for (let row = end; row < length; row++) {
      transcript.append(rows[row], this.firstSeen?.[layout.ownerOf(row)], layout.isUnknown(row));
    }
    if (transcript.rivals.length > 0) this.#lookAtRivals(rows, keep, patched);
    if (!isAgain && layout.renew(transcript.textlessSince(end))) return this.#afresh(messages, now, requests);
    if (transcript.unseen.length > 0) {
      if (!isAgain && layout.renew(transcript.unseen)) return this.#afresh(messages, now, requests);
      this.#catchUp(rows, keep, patched);
    }
    return this.#evaluate(now, keep, patched, requests);
  }

  /**
   * Reads all messages again: a host has edited one into another form, and rows have moved.
   * @param {readonly unknown[]} messages @param {number} now @param {Requests} requests @returns {Decision}
   */
  #afresh(messages, now, requests) {
    this.transcript.truncate(0);
    this.transcript.unseen.length = 0;
    return this.decide(messages, now, 0, requests, true);
  }

  /**
   * Tells the core which of several results for one call were made up.
   * @param {readonly unknown[]} messages @param {number} keep @param {number[]} patched
   */
  #lookAtRivals(messages, keep, patched) {
    for (const row of this.transcript.lookAtRivals(messages)) {
      if (row < keep && !patched.includes(row)) patched.push(row);
    }
  }

  /**
   * Reads the results that a later call has made worth watching.
   * @param {readonly unknown[]} messages @param {number} keep @param {number[]} patched
   */
  #catchUp(messages, keep, patched) {
    const { transcript } = this;
    const known = new Set(patched);
    for (const row of transcript.unseen) {
      try {
        transcript.reread(row, messages[row]);
      } catch {
        transcript.hideContent(row);
      }
      if (row < keep && !known.has(row)) patched.push(row);
    }
    transcript.unseen.length = 0;
  }

  /** @param {number} now @param {number} keep rows that the core keeps @param {number[]} patched rows among them that changed @param {Requests} requests */
  #evaluate(now, keep, patched, requests) {
    const { transcript } = this;
    this.decision = this.#isTold || !this.#isTalk() ? this.#asked(now, keep, patched, requests) : nothingFrom(now);
    this.decision.unknownTimes = transcript.unknownTimes();
    if (this.layout.foreign.size > this.layout.readable) this.decision.forms = this.layout.unrecognised();
    this.#addTexts(this.decision);
    deliverLog();
    this.#sayWhatIsOdd();
    return this.decision;
  }

  /** Whether no message is a call or a result, and nobody hears what the core logs. */
  #isTalk() {
    const { calls, flags } = this.transcript;
    return calls.length === 0 && flags.every((known) => (known & KIND) !== TOOL) && !isLogWanted();
  }

  /** @param {number} now @param {number} keep @param {number[]} patched @param {Requests} requests */
  #asked(now, keep, patched, requests) {
    prepareLog();
    const { state, transcript } = this;
    const { contents, calls } = transcript;
    // Messages without calls and results are not sent to the core, so it gets all of them with the first that has one.
    const [kept, changed] = this.#isTold && !requests.areAll ? [keep, patched] : [0, []];
    this.#isTold = true;
    const isCompressed = calls.length === 0 && hasRecord(this.layout.objects);
    const earlier = requests.earlier.map(({ end, now }) => ({ rows: this.layout.rowOf(end), now }));
    const inbox = wire.encode(transcript, { now, first: requests.first, earlier }, kept, changed, isCompressed);
    return wire.receive(
      now,
      transcript.length - kept + changed.length,
      (outbox) => state.evaluate(inbox, contents, calls.arguments, toOnly, outbox),
      (outbox) => state.rewrite(outbox),
      new Decision(),
      this.decision,
    );
  }

  /** Logs once what a host should know of its messages; at every request that would be noise. */
  #sayWhatIsOdd() {
    const { forms, inSeconds, unknownTimes } = this.decision;
    if (inSeconds > 0) sayOnce('seconds', () => native.noteTimesInSeconds(inSeconds));
    if (unknownTimes > 0 && this.firstSeen === null) sayOnce('untimed', () => native.noteTimesUnknown(unknownTimes));
    if (forms === NO_FORMS) return;
    const names = Object.keys(forms).join(', ');
    const messages = this.layout.objects.length;
    sayOnce(`cleanup: ${names}`, () => native.noteUnrecognised(false, total(forms), messages, names));
  }

  /** @param {Decision} decision */
  #addTexts(decision) {
    const { texts, editCount } = decision;
    const { placeholders } = this.engine;
    for (let edit = texts.length; edit < editCount; edit++) {
      texts.push(placeholders[decision.ruleOf(edit)] ?? this.state.editText(edit) ?? '');
    }
  }

  /** @param {number} edit */
  textOf(edit) {
    return /** @type {string} */ (this.decision.texts[edit]);
  }

  /**
   * The same object until there is another decision.
   * @param {readonly unknown[]} messages those that were decided on
   * @returns {import('../../index.js').CleanupReport}
   */
  report(messages) {
    const { decision } = this;
    // An edit of a dropped message's other fields, or of the parts beside a text, isn't noticed, so such a report is made anew.
    if (decision.report === null || decision.dropped.length + decision.repeated.length > 0 || !this.layout.isFlat)
      decision.report = lazyReport(this, messages);
    return decision.report;
  }

  /** How many results were replaced and fetched again, by kind. @param {number[]} gone pairs: a row, and the row from which on it wasn't sent */
  reacquired(gone) {
    const { contents, calls } = this.transcript;
    return this.state.reacquired(gone, contents, calls.arguments, toOnly);
  }

  /** Leaves a message that can't be copied as it is, and decides again. @param {number} row @param {number} now */
  leaveAlone(row, now) {
    this.transcript.hideContent(row);
    return this.#evaluate(now, this.transcript.length, [row], NEWEST_ONLY);
  }
}

module.exports = { Conversation, Decision };
