// @ts-check
'use strict';

const { callsOf, resultIdOf, timeOf } = require('../messages/chat.js');
const native = require('../native.js');
const { isMarkedFailed } = require('../messages/tool-result.js');
const { Row } = require('../messages/row.js');
const { DeclaredCalls, Numbering, RowsById } = require('./declared-calls.js');
const { ASIDE, ASSISTANT, HAS_MEDIA, HAS_TEXT, INTERRUPTION, KIND, SHARES_ID } = require('./row-flags.js');
const { STATUS_ERROR, TOOL, UNKNOWN, UNREADABLE, WATCHED } = require('./row-flags.js');

/** In UTF-16 units. An agent's text for an interrupted call is not longer. */ const INTERRUPTION_UNITS = 600;

/**
 * The values read of each row. A row with the same values counts as unchanged, even if it is another object, because applications replace fields in
 * place and pass copies. Stored in columns, because thousands of objects would burden the garbage collector.
 */
class Transcript {
  /** @param {{ callDepth: number, watchesAllTools: boolean, fixesOrphans?: boolean }} policy @param {(name: string) => number} addName see `Numbering` */
  constructor({ callDepth, watchesAllTools, fixesOrphans = false }, addName) {
    /** @type {number[]} */ this.flags = [];
    /** In the messages' own unit; NaN without a time. @type {number[]} */ this.timestamps = [];
    /** Texts that were parsed to the row's time, kept because parsing is the slowest part of a comparison. @type {string[]} */
    this.timeTexts = [];
    /** When rows without a time were first sent (ms). @type {Map<number, number>} */ this.firstSeen = new Map();
    /** Count of watched rows without a time. */ this.untimed = 0;
    /** Ids of tool results. @type {unknown[]} */ this.ids = [];
    /** Texts of watched results. @type {(string | undefined)[]} */ this.contents = [];
    /** True while a report uses `contents`, whose entries must then not change. */ this.areContentsLent = false;
    this.numbering = new Numbering(addName);
    this.calls = new DeclaredCalls(callDepth, this.numbering);
    /** True if results are watched even if no rule covers their call. */ this.watchesAllTools = watchesAllTools;
    /** For each id number, true once a rule covered a call with that id. @type {boolean[]} */ this.coveredIds = [];
    /** Results that a later call made relevant, not read yet. @type {number[]} */ this.unread = [];
    this.results = new RowsById();
    this.fixesOrphans = fixesOrphans;
    /** If orphans are fixed: results that share an id, not scanned yet. @type {number[]} */ this.sharingId = [];
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
    for (let row = this.flags.length - 1; row >= length; row--) this.results.removeLast(row, this.#idNumberOf(row));
    if (this.sharingId.length > 0) this.sharingId = this.sharingId.filter((row) => row < length);
    const { flags, timestamps, ids, calls } = this;
    for (const column of [flags, timestamps, ids, calls.ends, this.#ownContents()]) column.length = length;
  }

  /** The caller may keep the array: entries don't change, and rows are only added. */
  lendContents() {
    this.areContentsLent = true;
    return this.contents;
  }

  /** `contents`, or a copy of it if a report has borrowed it. */
  #ownContents() {
    if (this.areContentsLent) this.contents = this.contents.slice();
    this.areContentsLent = false;
    return this.contents;
  }

  /** In the messages' own unit; NaN if unknown. @param {number} row @returns {number} */
  timeAt(row) {
    const timestamp = /** @type {number} */ (this.timestamps[row]);
    return Number.isFinite(timestamp) ? timestamp : (this.firstSeen.get(row) ?? Number.NaN);
  }

  /** True if {@link timeAt} returns when the row was first sent. @param {number} row */
  isFirstSight(row) {
    return this.firstSeen.has(row) && !Number.isFinite(this.timestamps[row]);
  }

  /** Watched results from `row` on whose content isn't text. @param {number} row @returns {number[]} */
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
   * Adds a row. Reads each field once, and only the id of a result that no rule watches. Never throws. `firstSeen`: used if the message has no time.
   * @param {any} message any value @param {number} [firstSeen] @param {boolean} [isUnknown] its form is unknown, and it may hold calls or results
   */
  append(message, firstSeen, isUnknown = false) {
    const firstCall = this.calls.length;
    let flags = 0;
    /** @type {unknown} */ let id;
    let timestamp = Number.NaN;
    /** @type {string | undefined} */ let content;
    try {
      const role = message === null || typeof message !== 'object' ? undefined : message.role;
      if (role === 'tool') {
        id = resultIdOf(message);
        flags = TOOL;
        if (this.watchesAllTools || this.coveredIds[this.numbering.idOf(id)] === true) {
          flags |= WATCHED;
          timestamp = timeOf(message);
          content = contentOf(message);
          flags |= contentFlags(message, content);
        }
      } else if (role === 'assistant') {
        const calls = callsOf(message);
        if (calls !== undefined) this.calls.read(calls, message instanceof Row ? message : null);
        flags = ASSISTANT;
      } else if (isAside(message, role)) flags = ASIDE;
      // Possibly a result in OpenAI's old form without call ids.
      if ((isUnknown && role !== 'tool') || role === 'function') flags |= UNKNOWN;
    } catch {
      this.calls.truncate(firstCall);
      [flags, id, timestamp, content] = [UNREADABLE, undefined, Number.NaN, undefined];
    }
    const row = this.length;
    this.flags.push(flags);
    this.timestamps.push(timestamp);
    this.ids.push(id);
    this.contents.push(content);
    this.calls.ends.push(this.calls.length);
    if (this.#isUntimed(row)) this.untimed++;
    this.setFirstSeen(row, firstSeen);
    this.#addToResults(row);
    this.#watchResultsOf(firstCall);
  }

  /** @param {number} row @param {number | undefined} firstSeen used if the result has no time */
  setFirstSeen(row, firstSeen) {
    const isUsed = firstSeen !== undefined && this.kindOf(row) === TOOL && !Number.isFinite(this.timestamps[row]);
    if (isUsed) this.firstSeen.set(row, firstSeen);
    else if (this.firstSeen.size > 0) this.firstSeen.delete(row);
  }

  /** Count of watched results without a time. A row stays watched when its call is removed: an edit may declare it again. */
  unknownTimes() {
    if (this.untimed === 0 || this.watchesAllTools || !this.calls.hasRemoved) return this.untimed;
    const covered = new Set(this.calls.ids.filter((_, call) => this.calls.isCovered(call)));
    let unknown = 0;
    for (let row = 0; row < this.length; row++) if (this.#isUntimed(row) && covered.has(this.ids[row])) unknown++;
    return unknown;
  }

  /** @param {number} row */
  #isUntimed(row) {
    const flags = /** @type {number} */ (this.flags[row]);
    return (flags & KIND) === TOOL && (flags & WATCHED) !== 0 && !Number.isFinite(this.timestamps[row]);
  }

  /** Watches earlier results of the calls from `call` on that a rule covers. @param {number} call */
  #watchResultsOf(call) {
    for (; call < this.calls.length; call++) {
      const number = this.numbering.idOf(this.calls.ids[call]);
      if (number < 0 || this.coveredIds[number] === true || !this.calls.isCovered(call)) continue;
      this.coveredIds[number] = true;
      for (const row of this.watchesAllTools ? [] : this.results.rowsOf(number)) {
        this.flags[row] = (this.flags[row] ?? 0) | WATCHED;
        if (this.#isUntimed(row)) this.untimed++;
        this.unread.push(row);
      }
    }
  }

  /** Number of a result's id; −1 for other rows. @param {number} row */
  #idNumberOf(row) {
    return this.kindOf(row) === TOOL ? this.numbering.idOf(this.ids[row]) : -1;
  }

  /** Links a result with an earlier one of the same id. @param {number} row the last row */
  #addToResults(row) {
    const number = this.#idNumberOf(row);
    const earlier = this.results.lastOf(number);
    this.results.add(row, number);
    if (this.fixesOrphans && earlier >= 0) this.sharingId.push(earlier, row);
  }

  /** Rows of results generated for an interrupted call, among those that share an id. Never throws. @param {readonly any[]} messages one for each row */
  findInterruptions(messages) {
    const found = [];
    for (const row of this.sharingId) {
      const flags = /** @type {number} */ (this.flags[row]);
      if ((flags & SHARES_ID) !== 0) continue;
      const text = contentOf(messages[row]);
      const interruption = interruptionFlag(text);
      this.flags[row] = flags | SHARES_ID | interruption;
      if ((flags & WATCHED) === 0) this.#ownContents()[row] = text;
      if (interruption !== 0) found.push(row);
    }
    this.sharingId.length = 0;
    return found;
  }

  /** Reads a result again; false if nothing relevant changed. @param {number} row @param {any} message */
  reread(row, message) {
    const before = /** @type {number} */ (this.flags[row]);
    const content = contentOf(message);
    if ((before & (WATCHED | SHARES_ID)) === SHARES_ID) {
      const flags = (before & ~INTERRUPTION) | interruptionFlag(content);
      this.#ownContents()[row] = content;
      this.flags[row] = flags;
      return flags !== before;
    }
    const timestamp = timeOf(message);
    let flags = TOOL | (before & (WATCHED | SHARES_ID)) | contentFlags(message, content);
    if ((before & SHARES_ID) !== 0) flags |= interruptionFlag(content);
    const isSame = flags === before && content === this.contents[row] && Object.is(timestamp, this.timestamps[row]);
    if (isSame) return false;
    if (this.#isUntimed(row)) this.untimed--;
    this.flags[row] = flags;
    this.#ownContents()[row] = content;
    this.timestamps[row] = timestamp;
    if (row < this.timeTexts.length) this.timeTexts[row] = '';
    if (this.#isUntimed(row)) this.untimed++;
    return true;
  }

  /** Reads the results that a later call made relevant, and returns their rows. @param {readonly any[]} messages one for each row */
  readUnread(messages) {
    const { unread } = this;
    this.unread = [];
    for (const row of unread) {
      try {
        this.reread(row, messages[row]);
      } catch {
        this.hideContent(row);
      }
    }
    return unread;
  }

  /** True if a message that was unreadable before can be read now. @param {any} message */
  canRead(message) {
    const { watchesAllTools, calls } = this;
    const trial = new Transcript({ callDepth: calls.depth, watchesAllTools }, () => 0);
    trial.append(message);
    return trial.kindOf(0) !== UNREADABLE;
  }

  /** Removes the content of a row that must not be replaced. @param {number} row */
  hideContent(row) {
    this.#ownContents()[row] = undefined;
    this.flags[row] = (this.flags[row] ?? 0) & ~HAS_TEXT;
  }
}

/** Undefined without a readable text: the result is then never replaced, but has its call. @param {any} message @returns {string | undefined} */
function contentOf(message) {
  try {
    const { content } = message;
    return typeof content === 'string' ? content : undefined;
  } catch {
    return undefined;
  }
}

/** The flag of a text that an agent writes for an interrupted call; 0 for any other. @param {string | undefined} text */
function interruptionFlag(text) {
  const isShort = text !== undefined && text.length <= INTERRUPTION_UNITS;
  return isShort && native.isInterruption(text) ? INTERRUPTION : 0;
}

/** True for a system message, and for an assistant item without calls. @param {any} message @param {unknown} role */
const isAside = (message, role) =>
  role === 'system' || role === 'developer' || (message instanceof Row && message.isAside);

/** @param {any} message a result @param {string | undefined} content its text */
function contentFlags(message, content) {
  const status = isMarkedFailed(message) ? STATUS_ERROR : 0;
  if (content === undefined) return status;
  return status | HAS_TEXT | (message instanceof Row && message.hasMedia ? HAS_MEDIA : 0);
}

module.exports = { contentOf, isAside, Transcript };
