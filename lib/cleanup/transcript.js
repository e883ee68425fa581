// @ts-check
'use strict';

const { isList } = require('../lists.js');

/**
 * What a message is to the rules, in the bits that the core reads (`src/wire.rs`), and one more for this side.
 */
const KIND = 3;
const ASSISTANT = 1;
const TOOL = 2;
/** Reading it throws: left alone like any other, but tried again when it comes back. */
const UNREADABLE = 3;
const STATUS_ERROR = 4;
const HAS_TEXT = 8;
/** Some rule depends on its content, timestamp or status. */
const WATCHED = 16;

/** How much of a declared call a policy depends on. */
const CALL_IDS = 0;
const CALL_NAMES = 1;
const CALL_ARGUMENTS = 2;

/** Flags of an id. */
const COVERED = 1;
const ANSWERED = 2;

/**
 * What was read of a conversation's messages, by row and by declared call. A message that still has these
 * values is known, whichever object it is: hosts replace fields in place, and pass copies of what they passed
 * before.
 *
 * Columns, not a record for each message: a restored history of thousands would be mostly garbage to collect.
 */
class Transcript {
  /**
   * @param {object} policy
   * @param {number} policy.callDepth how much of each call counts
   * @param {boolean} policy.watchesAllTools
   * @param {(name: string) => boolean} addName numbers a tool name; true when a rule covers it
   */
  constructor({ callDepth, watchesAllTools }, addName) {
    this.callDepth = callDepth;
    this.watchesAllTools = watchesAllTools;
    this.addName = addName;
    /** @type {number[]} */ this.flags = [];
    /** NaN where there is none. @type {number[]} */ this.timestamps = [];
    /** Tool rows' ids. @type {unknown[]} */ this.ids = [];
    /** @type {(string | undefined)[]} */ this.contents = [];
    /** Where a row's calls end among all calls. @type {number[]} */ this.callEnds = [];
    /** @type {unknown[]} */ this.callIds = [];
    /** @type {unknown[]} */ this.callNames = [];
    /** @type {unknown[]} */ this.callArguments = [];
    /** @type {Map<string, number>} */ this.numbers = new Map();
    /** @type {number[]} */ this.idFlags = [];
    /** @type {Map<string, { number: number, covered: boolean }>} */ this.names = new Map();
    /** Results that nobody watched until a later call was declared: they are still to be read. */
    this.unseen = /** @type {number[]} */ ([]);
  }

  get length() {
    return this.flags.length;
  }

  /** Forgets the rows from `length` on. @param {number} length */
  truncate(length) {
    if (length >= this.flags.length) return;
    this.#truncateCalls(this.callsBefore(length));
    for (const column of [this.flags, this.timestamps, this.ids, this.contents, this.callEnds]) column.length = length;
  }

  /** @param {number} length */
  #truncateCalls(length) {
    for (const column of [this.callIds, this.callNames, this.callArguments]) column.length = length;
  }

  /** How many calls the rows before `row` declare. @param {number} row */
  callsBefore(row) {
    return row === 0 ? 0 : /** @type {number} */ (this.callEnds[row - 1]);
  }

  /** @param {number} row */
  kindOf(row) {
    return (this.flags[row] ?? 0) & KIND;
  }

  /**
   * Reads a message into the next row, each field once, and of a result that no rule depends on no more than whose
   * it is. Never throws.
   * @param {any} message anything a host may put into its array
   */
  append(message) {
    const firstCall = this.callIds.length;
    let flags = 0;
    /** @type {unknown} */
    let id;
    let timestamp = Number.NaN;
    /** @type {string | undefined} */
    let content;
    try {
      const role = message === null || typeof message !== 'object' ? undefined : message.role;
      if (role === 'tool') {
        id = message.tool_call_id;
        flags = TOOL;
        if (this.#isWatched(id)) {
          flags |= WATCHED;
          timestamp = timeOf(message);
          if (message.messageStatus === 'error') flags |= STATUS_ERROR;
          content = contentOf(message);
          if (content !== undefined) flags |= HAS_TEXT;
        }
      } else if (role === 'assistant') {
        const toolCalls = message.tool_calls;
        if (isList(toolCalls)) this.#readCalls(toolCalls);
        flags = ASSISTANT;
      }
    } catch {
      this.#truncateCalls(firstCall);
      flags = UNREADABLE;
      id = undefined;
      timestamp = Number.NaN;
      content = undefined;
    }
    this.flags.push(flags);
    this.timestamps.push(timestamp);
    this.ids.push(id);
    this.contents.push(content);
    this.callEnds.push(this.callIds.length);
    if (this.callIds.length > firstCall) this.#declareFrom(firstCall);
  }

  /** @param {any[]} toolCalls */
  #readCalls(toolCalls) {
    const { callDepth } = this;
    for (let index = 0; index < toolCalls.length; index++) {
      const call = toolCalls[index];
      const declared = callDepth === CALL_IDS ? undefined : call?.function;
      this.callIds.push(call?.id);
      this.callNames.push(declared?.name);
      this.callArguments.push(callDepth === CALL_ARGUMENTS ? declared?.arguments : undefined);
    }
  }

  /** Notes that there is a result for `id`. @param {unknown} id */
  #isWatched(id) {
    const number = this.idNumber(id);
    if (number < 0) return this.watchesAllTools;
    const known = /** @type {number} */ (this.idFlags[number]);
    this.idFlags[number] = known | ANSWERED;
    return this.watchesAllTools || (known & COVERED) !== 0;
  }

  /**
   * Takes note of which results the calls from `call` on make worth watching.
   * @param {number} call
   */
  #declareFrom(call) {
    for (; call < this.callIds.length; call++) {
      const number = this.idNumber(this.callIds[call]);
      if (this.callDepth === CALL_IDS || number < 0) continue;
      if (this.nameOf(this.callNames[call])?.covered !== true) continue;
      const known = /** @type {number} */ (this.idFlags[number]);
      this.idFlags[number] = known | COVERED;
      if (known === ANSWERED && !this.watchesAllTools) this.#watchResultsOf(this.callIds[call]);
    }
  }

  /** A result that came before its call was not worth watching until now. @param {unknown} id */
  #watchResultsOf(id) {
    for (let row = 0; row < this.length; row++) {
      if (this.ids[row] !== id || this.kindOf(row) !== TOOL) continue;
      this.flags[row] = (this.flags[row] ?? 0) | WATCHED;
      this.unseen.push(row);
    }
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
    if (message.messageStatus === 'error') flags |= STATUS_ERROR;
    if (content !== undefined) flags |= HAS_TEXT;
    if (flags === this.flags[row] && content === this.contents[row] && Object.is(timestamp, this.timestamps[row])) {
      return false;
    }
    this.flags[row] = flags;
    this.contents[row] = content;
    this.timestamps[row] = timestamp;
    return true;
  }

  /**
   * Whether a message that could not be read can be read now.
   * @param {any} message
   */
  canRead(message) {
    const attempt = new Transcript(this, () => false);
    attempt.append(message);
    return attempt.kindOf(0) !== UNREADABLE;
  }

  /** The message in `row` can't be copied: its content counts as none. @param {number} row */
  hideContent(row) {
    this.contents[row] = undefined;
    this.flags[row] = (this.flags[row] ?? 0) & ~HAS_TEXT;
  }

  /**
   * Numbers an id: −1 for what is none.
   * @param {unknown} id
   */
  idNumber(id) {
    if (typeof id !== 'string' || id === '') return -1;
    let number = this.numbers.get(id);
    if (number === undefined) {
      number = this.numbers.size;
      this.numbers.set(id, number);
      this.idFlags.push(0);
    }
    return number;
  }

  /** @param {unknown} name */
  nameOf(name) {
    if (typeof name !== 'string') return undefined;
    let entry = this.names.get(name);
    if (entry === undefined) {
      entry = { number: this.names.size, covered: this.addName(name) };
      this.names.set(name, entry);
    }
    return entry;
  }
}

/**
 * A result whose content can't be read, or isn't text, is left alone, but it still answers its call.
 * @param {any} message
 * @returns {string | undefined}
 */
function contentOf(message) {
  try {
    const { content } = message;
    return typeof content === 'string' ? content : undefined;
  } catch {
    return undefined;
  }
}

/** @param {any} message */
function timeOf(message) {
  const { timestamp } = message;
  return typeof timestamp === 'number' ? timestamp : Number.NaN;
}

module.exports = {
  ASSISTANT,
  CALL_ARGUMENTS,
  CALL_IDS,
  CALL_NAMES,
  HAS_TEXT,
  KIND,
  STATUS_ERROR,
  TOOL,
  Transcript,
  UNREADABLE,
  WATCHED,
};
