// @ts-check
'use strict';

const { callsOf, resultIdOf } = require('../messages/chat.js');
const native = require('../native.js');
const { isMarkedFailed } = require('../messages/failure-marks.js');
const { Row } = require('../messages/row.js');
const { timeOf } = require('../messages/time.js');
const { DeclaredCalls } = require('./declared-calls.js');
const { Numbering } = require('./numbering.js');
const { ASIDE, ASSISTANT, HAS_MEDIA, HAS_TEXT, INTERRUPTION, KIND, REPEATED } = require('./row-flags.js');
const { STATUS_ERROR, TOOL, UNKNOWN, UNREADABLE, WATCHED } = require('./row-flags.js');
const { RowsById, WatchedResults } = require('./watched-results.js');

/** Longer texts are outputs, not what an agent says of a call that never ended. */
const INTERRUPTION_UNITS = 600;

/**
 * What was read of each message, by row. A message that still has these values is known, whichever object it is: hosts replace
 * fields in place, and pass copies. Columns keep it, since thousands of objects would burden the garbage collector.
 */
class Transcript {
  /**
   * @param {{ callDepth: number, watchesAllTools: boolean, mendsOrphans?: boolean }} policy `callDepth`: how much of each call counts
   * @param {(name: string) => number} addName see `Numbering`
   */
  constructor({ callDepth, watchesAllTools, mendsOrphans = false }, addName) {
    this.watchesAllTools = watchesAllTools;
    /** @type {number[]} */ this.flags = [];
    /** In the messages' own unit; NaN where they say none. @type {number[]} */ this.timestamps = [];
    /** Texts that were once parsed to the row's time: parsing is the slowest part of a comparison. @type {string[]} */
    this.timeTexts = [];
    /** When results that may have no time were first seen. @type {Map<number, number>} */ this.firstSeen = new Map();
    /** How many watched rows have no time. */
    this.untimed = 0;
    /** Ids of tool results. @type {unknown[]} */ this.ids = [];
    /** @type {(string | undefined)[]} */ this.contents = [];
    /** True while a report reads `contents`: its entries must stay as they are. */
    this.areContentsLent = false;
    this.numbering = new Numbering(addName);
    this.calls = new DeclaredCalls(callDepth, this.numbering);
    this.watched = new WatchedResults(watchesAllTools);
    /** Results that a later call made worth watching, still to be read. @type {number[]} */ this.unseen = [];
    /** All results, where those of one id compete; null where nobody asks. */ this.results = mendsOrphans
      ? new RowsById()
      : null;
    /** Results whose id another one has, still to be looked at. @type {number[]} */ this.rivals = [];
  }

  get length() {
    return this.flags.length;
  }

  /** @param {number} length */
  truncate(length) {
    if (length >= this.flags.length) return;
    for (let row = length; row < this.length; row++) if (this.#isUntimed(row)) this.untimed--;
    if (this.timeTexts.length > length) this.timeTexts.length = length;
    if (this.firstSeen.size > 0) for (const row of this.firstSeen.keys()) if (row >= length) this.firstSeen.delete(row);
    this.calls.truncate(this.calls.before(length));
    for (let row = this.flags.length - 1; row >= length; row--) {
      this.watched.forget(row, this.#unwatchedId(row));
      this.results?.forget(row, this.#resultId(row));
    }
    if (this.rivals.length > 0) this.rivals = this.rivals.filter((row) => row < length);
    const { flags, timestamps, ids, calls } = this;
    for (const column of [flags, timestamps, ids, calls.ends, this.#ownContents()]) column.length = length;
  }

  /** The caller may keep it: entries stay, and only further rows are added. */
  lendContents() {
    this.areContentsLent = true;
    return this.contents;
  }

  #ownContents() {
    if (this.areContentsLent) this.contents = this.contents.slice();
    this.areContentsLent = false;
    return this.contents;
  }

  /** In the messages' own unit; NaN where nobody knows. @param {number} row @returns {number} */
  timeAt(row) {
    const timestamp = /** @type {number} */ (this.timestamps[row]);
    return Number.isFinite(timestamp) ? timestamp : (this.firstSeen.get(row) ?? Number.NaN);
  }

  /** Whether {@link timeAt} says when the row was first seen. @param {number} row */
  isFirstSight(row) {
    return this.firstSeen.has(row) && !Number.isFinite(this.timestamps[row]);
  }

  /** Watched results from `row` on whose content is no text. @param {number} row @returns {number[]} */
  textlessSince(row) {
    const found = [];
    for (; row < this.length; row++) if (((this.flags[row] ?? 0) & (WATCHED | HAS_TEXT)) === WATCHED) found.push(row);
    return found;
  }

  /** @param {number} row */
  kindOf(row) {
    return (this.flags[row] ?? 0) & KIND;
  }

  /**
   * Reads each field once; of a result that no rule watches only the id. Never throws.
   * @param {any} message anything a host may put into its array
   * @param {number} [firstSeen] stands for the time that it doesn't say
   * @param {boolean} [isUnknown] its form isn't understood, and it may hold calls or results
   */
  append(message, firstSeen, isUnknown = false) {
    const firstCall = this.calls.length;
    let flags = 0;
    let id = /** @type {unknown} */ (undefined);
    let timestamp = Number.NaN;
    let content = /** @type {string | undefined} */ (undefined);
    try {
      const role = message === null || typeof message !== 'object' ? undefined : message.role;
      if (role === 'tool') {
        id = resultIdOf(message);
        flags = TOOL;
        if (this.watched.hasResult(this.numbering.idOf(id))) {
          flags |= WATCHED;
          timestamp = timeOf(message);
          if (isMarkedFailed(message)) flags |= STATUS_ERROR;
          content = contentOf(message);
          if (content !== undefined) flags |= HAS_TEXT | mediaIn(message);
        }
      } else if (role === 'assistant') {
        const calls = callsOf(message);
        if (calls !== undefined) this.calls.read(calls, message instanceof Row ? message : null);
        flags = ASSISTANT;
      } else if (isAside(message, role)) flags = ASIDE;
      // A result from before calls had ids, perhaps.
      if ((isUnknown && role !== 'tool') || role === 'function') flags |= UNKNOWN;
    } catch {
      this.calls.truncate(firstCall);
      flags = UNREADABLE;
      id = undefined;
      timestamp = Number.NaN;
      content = undefined;
    }
    this.#push(flags, timestamp, id, content);
    const row = this.length - 1;
    this.see(row, firstSeen);
    this.watched.note(row, this.#unwatchedId(row));
    if (this.results !== null) this.#noteResult(this.results, row);
    if (this.calls.length > firstCall) this.#declareFrom(firstCall);
  }

  /** @param {number} row @param {number | undefined} firstSeen stands for the time that a result doesn't say */
  see(row, firstSeen) {
    const isUsed = firstSeen !== undefined && this.kindOf(row) === TOOL && !Number.isFinite(this.timestamps[row]);
    if (isUsed) this.firstSeen.set(row, firstSeen);
    else if (this.firstSeen.size > 0) this.firstSeen.delete(row);
  }

  /** @param {number} flags @param {number} timestamp @param {unknown} id @param {string | undefined} content */
  #push(flags, timestamp, id, content) {
    const row = this.length;
    this.flags.push(flags);
    this.timestamps.push(timestamp);
    this.ids.push(id);
    this.contents.push(content);
    this.calls.ends.push(this.calls.length);
    if (this.#isUntimed(row)) this.untimed++;
  }

  /** Watched results without a time. A row stays watched when its call goes: an edit may declare it again. */
  unknownTimes() {
    if (this.untimed === 0 || this.watchesAllTools || !this.calls.hasLost) return this.untimed;
    const covered = new Set(this.calls.ids.filter((_, call) => this.calls.isCovered(call)));
    let unknown = 0;
    for (let row = 0; row < this.length; row++) if (this.#isUntimed(row) && covered.has(this.ids[row])) unknown++;
    return unknown;
  }

  /** @param {number} row */
  #isUntimed(row) {
    const known = /** @type {number} */ (this.flags[row]);
    return (known & KIND) === TOOL && (known & WATCHED) !== 0 && !Number.isFinite(this.timestamps[row]);
  }

  /** Watches the results of the calls from `call` on that a rule covers. @param {number} call */
  #declareFrom(call) {
    for (; call < this.calls.length; call++) {
      const number = this.numbering.idOf(this.calls.ids[call]);
      if (number < 0 || !this.calls.isCovered(call)) continue;
      for (const row of this.watched.cover(number)) this.#watch(row);
    }
  }

  /** The number of its id for a result that nobody watches; −1 for other rows. @param {number} row */
  #unwatchedId(row) {
    return ((this.flags[row] ?? 0) & (KIND | WATCHED)) === TOOL ? this.numbering.idOf(this.ids[row]) : -1;
  }

  /** The number of a result's id; −1 for other rows. @param {number} row */
  #resultId(row) {
    return this.kindOf(row) === TOOL ? this.numbering.idOf(this.ids[row]) : -1;
  }

  /** @param {InstanceType<typeof RowsById>} results @param {number} row the last */
  #noteResult(results, row) {
    const number = this.#resultId(row);
    const rival = results.lastOf(number);
    results.note(row, number);
    if (rival >= 0) this.rivals.push(rival, row);
  }

  /**
   * Finds out which results of one id were made up for a call that never ended. Never throws.
   * @param {readonly any[]} messages by row
   * @returns {number[]} rows that were
   */
  lookAtRivals(messages) {
    const found = [];
    for (const row of this.rivals) {
      const known = /** @type {number} */ (this.flags[row]);
      if ((known & REPEATED) !== 0) continue;
      const text = contentOf(messages[row]);
      const interruption = interruptionIn(text);
      this.flags[row] = known | REPEATED | interruption;
      if ((known & WATCHED) === 0) this.#ownContents()[row] = text;
      if (interruption !== 0) found.push(row);
    }
    this.rivals.length = 0;
    return found;
  }

  /** Reads one of several results of an id again of which no rule wants to know more. @param {number} row @param {any} message */
  #rereadRival(row, message) {
    const text = contentOf(message);
    const before = /** @type {number} */ (this.flags[row]);
    const flags = (before & ~INTERRUPTION) | interruptionIn(text);
    this.#ownContents()[row] = text;
    this.flags[row] = flags;
    return flags !== before;
  }

  /** @param {number} row a result that came before its call */
  #watch(row) {
    this.flags[row] = (this.flags[row] ?? 0) | WATCHED;
    if (this.#isUntimed(row)) this.untimed++;
    this.unseen.push(row);
  }

  /** Reads a result again; false when nothing that counts has changed. @param {number} row @param {any} message */
  reread(row, message) {
    const known = /** @type {number} */ (this.flags[row]);
    if ((known & (WATCHED | REPEATED)) === REPEATED) return this.#rereadRival(row, message);
    const content = contentOf(message);
    const timestamp = timeOf(message);
    let flags = TOOL | (known & (WATCHED | REPEATED));
    if ((known & REPEATED) !== 0) flags |= interruptionIn(content);
    if (isMarkedFailed(message)) flags |= STATUS_ERROR;
    if (content !== undefined) flags |= HAS_TEXT | mediaIn(message);
    const isSame = flags === this.flags[row] && content === this.contents[row];
    if (isSame && Object.is(timestamp, this.timestamps[row])) return false;
    if (this.#isUntimed(row)) this.untimed--;
    this.flags[row] = flags;
    this.#ownContents()[row] = content;
    this.timestamps[row] = timestamp;
    if (row < this.timeTexts.length) this.timeTexts[row] = '';
    if (this.#isUntimed(row)) this.untimed++;
    return true;
  }

  /** @param {any} message that could not be read before */
  canRead(message) {
    const { watchesAllTools } = this;
    const attempt = new Transcript({ callDepth: this.calls.depth, watchesAllTools }, () => 0);
    attempt.append(message);
    return attempt.kindOf(0) !== UNREADABLE;
  }

  /** Treats a message that can't be copied as one without content. @param {number} row */
  hideContent(row) {
    this.#ownContents()[row] = undefined;
    this.flags[row] = (this.flags[row] ?? 0) & ~HAS_TEXT;
  }
}

/** A result whose content isn't readable text is left alone, but still answers its call. @param {any} message @returns {string | undefined} */
function contentOf(message) {
  try {
    const { content } = message;
    return typeof content === 'string' ? content : undefined;
  } catch {
    return undefined;
  }
}

/** @param {string | undefined} text */
function interruptionIn(text) {
  const isShort = text !== undefined && text.length <= INTERRUPTION_UNITS;
  return isShort && native.isInterruption(text) ? INTERRUPTION : 0;
}

/** Whether nobody else speaks in a message that is neither the model's nor a tool's. @param {any} message @param {unknown} role */
function isAside(message, role) {
  return role === 'system' || role === 'developer' || (message instanceof Row && message.isAside);
}

/** @param {any} message that has a text */
function mediaIn(message) {
  return message instanceof Row && message.hasMedia ? HAS_MEDIA : 0;
}

module.exports = { contentOf, isAside, Transcript };
