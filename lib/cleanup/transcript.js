// @ts-check
'use strict';

const { callsOf, resultIdOf } = require('../messages/chat.js');
const { isMarkedFailed } = require('../messages/failure-marks.js');
const { Row } = require('../messages/row.js');
const { timeOf } = require('../messages/time.js');
const { DeclaredCalls } = require('./declared-calls.js');
const { Numbering } = require('./numbering.js');
const { ASSISTANT, HAS_MEDIA, HAS_TEXT, KIND, STATUS_ERROR, TOOL, UNREADABLE, WATCHED } = require('./row-flags.js');
const { WatchedResults } = require('./watched-results.js');

/**
 * Remembers what was read of a conversation's messages, by row; `calls` has what they declare. A message that still has these
 * values is known, whichever object it is: hosts replace fields in place, and pass copies of what they passed
 * before.
 *
 * It keeps columns and not an object for each message: a restored history of thousands of objects would burden the garbage collector.
 */
class Transcript {
  /**
   * @param {object} policy
   * @param {number} policy.callDepth how much of each call counts
   * @param {boolean} policy.watchesAllTools
   * @param {(name: string) => number} addName numbers a tool name: see `Numbering`
   */
  constructor({ callDepth, watchesAllTools }, addName) {
    this.watchesAllTools = watchesAllTools;
    /** @type {number[]} */ this.flags = [];
    /** Times as the messages say them, in whatever unit; NaN where they say none. @type {number[]} */ this.timestamps =
      [];
    /** Texts that were found to say the row's time: parsing them at every request would cost the most. @type {string[]} */
    this.timeTexts = [];
    /** When results that may have no time of their own were first seen. @type {Map<number, number>} */
    this.firstSeen = new Map();
    /** How many watched rows have no time. */
    this.untimed = 0;
    /** Tool rows' ids. @type {unknown[]} */ this.ids = [];
    /** @type {(string | undefined)[]} */ this.contents = [];
    /** Whether a report reads `contents`: then its entries must stay as they are. */
    this.areContentsLent = false;
    this.numbering = new Numbering(addName);
    this.calls = new DeclaredCalls(callDepth, this.numbering);
    this.watched = new WatchedResults(watchesAllTools);
    /** Results that were not watched until a later call was declared, and that are still to be read. */
    this.unseen = /** @type {number[]} */ ([]);
  }

  get length() {
    return this.flags.length;
  }

  /** Forgets the rows from `length` on. @param {number} length */
  truncate(length) {
    if (length >= this.flags.length) return;
    for (let row = length; row < this.length; row++) if (this.#isUntimed(row)) this.untimed--;
    if (this.timeTexts.length > length) this.timeTexts.length = length;
    if (this.firstSeen.size > 0) for (const row of this.firstSeen.keys()) if (row >= length) this.firstSeen.delete(row);
    this.calls.truncate(this.calls.before(length));
    for (let row = this.flags.length - 1; row >= length; row--) {
      this.watched.forget(row, this.#unwatchedId(row));
    }
    const { flags, timestamps, ids, calls } = this;
    for (const column of [flags, timestamps, ids, calls.ends, this.#ownContents()]) column.length = length;
  }

  /** The contents as they are now; entries stay as they are, and only further rows are added. */
  lendContents() {
    this.areContentsLent = true;
    return this.contents;
  }

  #ownContents() {
    if (this.areContentsLent) this.contents = this.contents.slice();
    this.areContentsLent = false;
    return this.contents;
  }

  /** When the message of `row` came, in whatever unit; NaN where nobody knows. @param {number} row @returns {number} */
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
   * Reads a message into the next row, each field once. Of a result that no rule depends on it reads only the id. Never
   * throws.
   * @param {any} message anything a host may put into its array
   * @param {number} [firstSeen] stands for the time that it doesn't say
   */
  append(message, firstSeen) {
    const firstCall = this.calls.length;
    let flags = 0;
    /** @type {unknown} */
    let id;
    let timestamp = Number.NaN;
    /** @type {string | undefined} */
    let content;
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
      }
    } catch {
      this.calls.truncate(firstCall);
      flags = UNREADABLE;
      id = undefined;
      timestamp = Number.NaN;
      content = undefined;
    }
    this.#push(flags, timestamp, id, content);
    const row = this.length - 1;
    if (firstSeen !== undefined && (flags & KIND) === TOOL && !Number.isFinite(timestamp)) {
      this.firstSeen.set(row, firstSeen);
    }
    this.watched.note(row, this.#unwatchedId(row));
    if (this.calls.length > firstCall) this.#declareFrom(firstCall);
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

  /**
   * Results that a rule looks at and that don't say when they came. A row stays watched when an edit takes away the call
   * that made it so: it may be declared again.
   */
  unknownTimes() {
    if (this.untimed === 0 || this.watchesAllTools || !this.calls.hasLost) return this.untimed;
    const covered = new Set(this.calls.ids.filter((_, call) => this.calls.isCovered(call)));
    let unknown = 0;
    for (let row = 0; row < this.length; row++) if (this.#isUntimed(row) && covered.has(this.ids[row])) unknown++;
    return unknown;
  }

  /** A watched result that doesn't say when it came. @param {number} row */
  #isUntimed(row) {
    const known = /** @type {number} */ (this.flags[row]);
    return (known & KIND) === TOOL && (known & WATCHED) !== 0 && !Number.isFinite(this.timestamps[row]);
  }

  /** Takes note of which results the calls from `call` on make worth watching. @param {number} call */
  #declareFrom(call) {
    for (; call < this.calls.length; call++) {
      const number = this.numbering.idOf(this.calls.ids[call]);
      if (number < 0 || !this.calls.isCovered(call)) continue;
      for (const row of this.watched.cover(number)) this.#watch(row);
    }
  }

  /** The number of the id of a result that nobody watches; −1 for other rows. @param {number} row */
  #unwatchedId(row) {
    return ((this.flags[row] ?? 0) & (KIND | WATCHED)) === TOOL ? this.numbering.idOf(this.ids[row]) : -1;
  }

  /** Watches a result that came before its call. @param {number} row */
  #watch(row) {
    this.flags[row] = (this.flags[row] ?? 0) | WATCHED;
    if (this.#isUntimed(row)) this.untimed++;
    this.unseen.push(row);
  }

  /**
   * Reads a tool result again whose id is as it was; false when nothing that counts has changed.
   * @param {number} row
   * @param {any} message
   */
  reread(row, message) {
    const content = contentOf(message);
    const timestamp = timeOf(message);
    let flags = TOOL | ((this.flags[row] ?? 0) & WATCHED);
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

  /** Whether a message that could not be read can be read now. @param {any} message */
  canRead(message) {
    const { watchesAllTools } = this;
    const attempt = new Transcript({ callDepth: this.calls.depth, watchesAllTools }, () => 0);
    attempt.append(message);
    return attempt.kindOf(0) !== UNREADABLE;
  }

  /** Treats the message in `row`, which can't be copied, as one without content. @param {number} row */
  hideContent(row) {
    this.#ownContents()[row] = undefined;
    this.flags[row] = (this.flags[row] ?? 0) & ~HAS_TEXT;
  }
}

/** A result whose content can't be read, or isn't text, is left alone, but it still answers its call. @param {any} message @returns {string | undefined} */
function contentOf(message) {
  try {
    const { content } = message;
    return typeof content === 'string' ? content : undefined;
  } catch {
    return undefined;
  }
}

/** @param {any} message that has a text */
function mediaIn(message) {
  return message instanceof Row && message.hasMedia ? HAS_MEDIA : 0;
}

module.exports = { Transcript };
