// @ts-check
'use strict';

const { hasRecord } = require('../compression/record.js');
const native = require('../native.js');
const { deliverLog, isLogWanted, logOnce } = require('../log.js');
const { Table } = require('../messages/table.js');
const { totalOf } = require('../messages/form.js');
const { commonPrefix } = require('./compare.js');
const { lazyReport } = require('./report.js');
const { KIND, TOOL } = require('./row-flags.js');
const { Transcript } = require('./transcript.js');
const wire = require('./wire.js');

/**
 * A replaced row. `request`: the first one that made the result outdated; `groups`: the core's numbers of its groups, such as paths.
 * @typedef {{ row: number, rule: number, request: number, groups: readonly number[], text: string }} Edit
 */

/** @type {readonly number[]} */ const NONE = Object.freeze([]);
/** @type {ReadonlySet<number>} */ const NO_ROWS = new Set();
const NO_FORMS = Object.freeze({});

/**
 * The last `units` units of the text up to its only character with this code; undefined if there are several. The core calls this, because N-API can
 * copy only the start of a string.
 * @param {unknown} text @param {number} code @param {number} units
 */
function textUpToOnly(text, code, units) {
  if (typeof text !== 'string') return '';
  const character = String.fromCharCode(code);
  const end = text.lastIndexOf(character) + 1;
  return text.indexOf(character) + 1 === end ? text.slice(Math.max(0, end - units), end) : undefined;
}

/**
 * `earlier`: all but the newest, each with its message count `end`; `first`: number of the first one; `areAll`: discard earlier decisions.
 * @typedef {{ earlier: readonly { end: number, now: number }[], first: number, areAll: boolean }} Requests
 */
/** @type {Requests} */ const NEWEST_ONLY = Object.freeze({ earlier: Object.freeze([]), first: 0, areAll: false });

/** A decision of the core about the rows of a conversation. It is valid for times from `validFrom` to `validUntil` (ms). */
class Decision {
  constructor() {
    this.validFrom = Number.POSITIVE_INFINITY;
    this.validUntil = Number.NEGATIVE_INFINITY;
    /** Rows that are left out, ascending. @type {readonly number[]} */ this.droppedRows = NONE;
    /** Calls that get a generated result, ascending. @type {readonly number[]} */ this.answeredCalls = NONE;
    /** Calls left out because their message has another of that id. */ this.duplicateCalls = NONE;
    /** Count of rows and calls that are left out because one with the same id stays. */ this.duplicates = 0;
    /** In the order of decision; later decisions append to the list. @type {Edit[]} */ this.edits = [];
    /** Count of edits of this decision. */ this.editCount = 0;
    /** Count of edits at the start that the previous decision also had. */ this.keptEdits = 0;
    /** Count of results whose time was in seconds. */ this.inSeconds = 0;
    /** Count of results that are sent although their calls are not among the messages. */ this.unmatchedResults = 0;
    /** Count of results without a time that a rule examined. */ this.unknownTimes = 0;
    /** @type {import('../messages/form.js').FormCounts} */ this.forms = NO_FORMS;
    /** @type {import('../../index.js').CleanupReport | null} */ this.report = null;
  }
}

/** One conversation as last read, and the core's decision. Agents call again with a longer array, so only new rows are sent to the core. */
class Conversation {
  /** @type {InstanceType<typeof native.ConversationState> | null} */ #state = null;
  /** True once messages were synced with the core: from the first tool call or result. */ #isSynced = false;

  /** @param {InstanceType<typeof import('./engine.js').Engine>} engine */
  constructor(engine) {
    this.engine = engine;
    this.transcript = new Transcript(engine, (name) => this.state.addName(name));
    this.decision = new Decision();
    this.table = new Table(engine.dialect);
    /** For each row, the object that was found to be plain data. @type {unknown[]} */ this.plain = [];
    /** @type {InstanceType<typeof import('./changes.js').Changes> | null} */ this.changes = null;
    /** The messages by which a later call finds this conversation. @type {object[]} */ this.anchors = [];
    /** Length of the array when `anchors` was set. */ this.anchoredLength = Number.NEGATIVE_INFINITY;
    /** True during a decision: a getter of a message may call back into this package. */ this.isBusy = false;
    /** When each message was first sent (ms); null if unused. @type {number[] | null} */ this.firstSeen = null;
    /** Previously read rows that the last decision found changed. @type {readonly number[]} */ this.edited = NONE;
  }

  get state() {
    this.#state ??= new native.ConversationState(this.engine.policy);
    return this.#state;
  }

  /**
   * Decides which results to replace, unless the last decision is still valid.
   * @param {readonly unknown[]} messages @param {number} now ms since the epoch
   * @param {number} [unchangedCount] count of messages at the start that are known to be unchanged
   * @param {Requests} [requests] requests to decide, in order
   * @param {boolean} [isReread] true after forms were detected again: messages that change at each read are then accepted
   * @returns {Decision}
   */
  decide(messages, now, unchangedCount = 0, requests = NEWEST_ONLY, isReread = false) {
    const { transcript, decision, table } = this;
    table.update(messages, unchangedCount);
    const { rows, sameFormRows } = table;
    const { length } = rows;
    /** Kept rows whose result changed. @type {Set<number>} */ const patched = new Set();
    const comparedRows = Math.max(table.firstRowOf(unchangedCount), table.comparedRows);
    const unchangedRows = Math.min(comparedRows, sameFormRows, transcript.length);
    const keptRows = commonPrefix(transcript, rows, unchangedRows, sameFormRows, patched);
    if (!isReread) this.edited = keptRows < transcript.length ? [...patched, keptRows] : [...patched];
    if (!requests.areAll && keptRows === length && keptRows === transcript.length && patched.size === 0) {
      if (now >= decision.validFrom && now <= decision.validUntil) return decision;
    }
    transcript.truncate(keptRows);
    if (this.plain.length > keptRows) this.plain.length = keptRows;
    if (requests.areAll) {
      for (let row = 0; row < keptRows; row++) transcript.setFirstSeen(row, this.firstSeen?.[table.messageOf(row)]);
    }
    for (let row = keptRows; row < length; row++) {
      transcript.append(rows[row], this.firstSeen?.[table.messageOf(row)], table.isUnknown(row));
    }
    for (const row of transcript.findInterruptions(rows)) if (row < keptRows) patched.add(row);
    const changedRows = [...patched, ...transcript.textlessSince(keptRows), ...transcript.unread];
    if (!isReread && table.forgetForms(changedRows)) {
      // The form of a message changed, which moves rows.
      transcript.truncate(0);
      transcript.unread.length = 0;
      return this.decide(messages, now, 0, requests, true);
    }
    for (const row of transcript.readUnread(rows)) if (row < keptRows) patched.add(row);
    return this.#evaluate(now, keptRows, patched, requests);
  }

  /** @param {number} now @param {number} keptRows that the core keeps @param {Set<number>} patched changed ones @param {Requests} requests */
  #evaluate(now, keptRows, patched, requests) {
    const { transcript } = this;
    const { calls, flags } = transcript;
    // Without a tool call or result, the core has nothing to decide, only to log.
    const needsCore =
      this.#isSynced || calls.length > 0 || flags.some((rowFlags) => (rowFlags & KIND) === TOOL) || isLogWanted();
    if (needsCore) this.decision = this.#evaluateInCore(now, keptRows, patched, requests);
    // A decision without edits never expires.
    else this.decision = Object.assign(new Decision(), { validFrom: now, validUntil: Number.POSITIVE_INFINITY });
    this.decision.unknownTimes = transcript.unknownTimes();
    if (this.table.foreign.size > this.table.readableCount) this.decision.forms = this.table.unrecognised();
    deliverLog();
    this.#logProblems();
    return this.decision;
  }

  /** @param {number} now @param {number} keptRows @param {Set<number>} patched @param {Requests} requests */
  #evaluateInCore(now, keptRows, patched, requests) {
    isLogWanted();
    const { state, transcript, engine } = this;
    const { contents, calls } = transcript;
    // Messages without tool calls and results are not synced, so the first sync sends all of them.
    const isPartial = this.#isSynced && !requests.areAll;
    const [syncedRows, changed] = isPartial ? [keptRows, patched] : [0, NO_ROWS];
    this.#isSynced = true;
    const isCompressed = calls.length === 0 && hasRecord(this.table.objects);
    const earlier = requests.earlier.map(({ end, now }) => ({ rows: this.table.firstRowOf(end), now }));
    const inbox = wire.encode(transcript, { now, first: requests.first, earlier }, syncedRows, changed, isCompressed);
    const decision = wire.receive(
      now,
      transcript.length - syncedRows + changed.size,
      (outbox) => state.evaluate(inbox, contents, calls.arguments, textUpToOnly, outbox),
      (outbox) => state.rewrite(outbox),
      new Decision(),
      this.decision,
    );
    for (let nth = decision.keptEdits; nth < decision.editCount; nth++) {
      const edit = /** @type {Edit} */ (decision.edits[nth]);
      edit.text = engine.placeholders[edit.rule] ?? state.editText(nth) ?? '';
    }
    return decision;
  }

  /** Logs problems with the messages once, because repeating them at every request would be noise. */
  #logProblems() {
    const { forms, inSeconds, unknownTimes } = this.decision;
    if (inSeconds > 0) logOnce('seconds', () => native.noteTimesInSeconds(inSeconds));
    if (unknownTimes > 0 && this.firstSeen === null) logOnce('untimed', () => native.noteTimesUnknown(unknownTimes));
    if (forms === NO_FORMS) return;
    const names = Object.keys(forms).join(', ');
    const messages = this.table.objects.length;
    logOnce(`cleanup: ${names}`, () => native.noteUnrecognised(false, totalOf(forms), messages, names));
  }

  /** The same object until there is another decision. @param {readonly unknown[]} messages those of the last decision */
  report(messages) {
    const { decision } = this;
    // Edits to other fields of a dropped message, or to parts without text, are not detected.
    const hasRemovals = decision.droppedRows.length + decision.duplicateCalls.length > 0;
    if (decision.report === null || hasRemovals || !this.table.isFlat) decision.report = lazyReport(this, messages);
    return decision.report;
  }

  /** For each kind, the counts of replaced results and of those fetched again. @param {number[]} removed alternating: a row, and the first row after its removal */
  reacquired(removed) {
    const { contents, calls } = this.transcript;
    return this.state.reacquired(removed, contents, calls.arguments, textUpToOnly);
  }

  /** Excludes the row of a message that can't be copied from the rules, and decides again. @param {number} row @param {number} now */
  excludeRow(row, now) {
    this.transcript.hideContent(row);
    return this.#evaluate(now, this.transcript.length, new Set([row]), NEWEST_ONLY);
  }
}

module.exports = { Conversation, Decision };
