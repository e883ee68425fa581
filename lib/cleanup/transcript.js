// @ts-check
'use strict';

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
   * @param {boolean} policy.readsContents
   * @param {(name: string) => boolean} addName numbers a tool name; true when a rule covers it
   */
  constructor({ callDepth, watchesAllTools, readsContents }, addName) {
    this.callDepth = callDepth;
    this.watchesAllTools = watchesAllTools;
    this.readsContents = readsContents;
    this.addName = addName;
    this.length = 0;
    this.flags = new Uint8Array(64);
    this.timestamps = new Float64Array(64);
    /** A tool row's id as a number. */
    this.idNumbers = new Int32Array(64);
    /** Where a row's calls end among all calls. */
    this.callEnds = new Int32Array(64);
    /** @type {unknown[]} */ this.ids = [];
    /** @type {unknown[]} */ this.contents = [];
    /** @type {unknown[]} */ this.callIds = [];
    /** @type {unknown[]} */ this.callNames = [];
    /** @type {unknown[]} */ this.callArguments = [];
    /** @type {Map<string, number>} */ this.numbers = new Map();
    /** @type {number[]} */ this.idFlags = [];
    /** @type {Map<string, { number: number, covered: boolean }>} */ this.names = new Map();
  }

  /** Forgets the rows from `length` on. @param {number} length */
  truncate(length) {
    if (length >= this.length) return;
    const calls = this.callsBefore(length);
    this.length = length;
    this.ids.length = length;
    this.contents.length = length;
    this.callIds.length = calls;
    this.callNames.length = calls;
    this.callArguments.length = calls;
  }

  /** How many calls the rows before `row` declare. @param {number} row */
  callsBefore(row) {
    return row === 0 ? 0 : /** @type {number} */ (this.callEnds[row - 1]);
  }

  /** @param {number} row */
  kindOf(row) {
    return /** @type {number} */ (this.flags[row]) & KIND;
  }

  /**
   * Reads a message into the next row, each field once. Never throws.
   * @param {any} message anything a host may put into its array
   */
  append(message) {
    const row = this.length;
    if (row === this.flags.length) this.#grow();
    this.ids.push(undefined);
    this.contents.push(undefined);
    this.timestamps[row] = Number.NaN;
    this.idNumbers[row] = -1;
    const firstCall = this.callIds.length;
    this.flags[row] = this.#readInto(row, message);
    this.callEnds[row] = this.callIds.length;
    this.length = row + 1;
    if (this.callIds.length > firstCall) this.#declareFrom(firstCall);
  }

  /**
   * @param {number} row
   * @param {any} message
   * @returns {number} flags
   */
  #readInto(row, message) {
    if (message === null || typeof message !== 'object') return 0;
    const calls = this.callIds.length;
    try {
      const role = message.role;
      if (role === 'tool') return this.#readResult(row, message);
      if (role !== 'assistant') return 0;
      this.#readCalls(message.tool_calls);
      return ASSISTANT;
    } catch {
      this.callIds.length = calls;
      this.callNames.length = calls;
      this.callArguments.length = calls;
      return UNREADABLE;
    }
  }

  /**
   * @param {number} row
   * @param {any} message
   */
  #readResult(row, message) {
    const id = message.tool_call_id;
    const timestamp = timeOf(message);
    let flags = TOOL;
    if (message.messageStatus === 'error') flags |= STATUS_ERROR;
    if (this.readsContents) {
      const content = contentOf(message);
      this.contents[row] = content;
      if (content !== undefined) flags |= HAS_TEXT;
    }
    this.ids[row] = id;
    this.timestamps[row] = timestamp;
    const number = this.#numberOf(id);
    this.idNumbers[row] = number;
    if (number >= 0) this.idFlags[number] = /** @type {number} */ (this.idFlags[number]) | ANSWERED;
    const covered = number >= 0 && ((this.idFlags[number] ?? 0) & COVERED) !== 0;
    return this.watchesAllTools || covered ? flags | WATCHED : flags;
  }

  /** @param {unknown} toolCalls */
  #readCalls(toolCalls) {
    if (!Array.isArray(toolCalls)) return;
    for (let index = 0; index < toolCalls.length; index++) {
      const call = toolCalls[index];
      const declared = this.callDepth === CALL_IDS ? undefined : call?.function;
      this.callIds.push(call?.id);
      this.callNames.push(declared?.name);
      this.callArguments.push(this.callDepth === CALL_ARGUMENTS ? declared?.arguments : undefined);
    }
  }

  /**
   * Takes note of which results the calls from `call` on make worth watching.
   * @param {number} call
   */
  #declareFrom(call) {
    for (; call < this.callIds.length; call++) {
      const number = this.#numberOf(this.callIds[call]);
      const name = this.nameOf(this.callNames[call]);
      if (number < 0 || name === undefined || !name.covered) continue;
      const known = /** @type {number} */ (this.idFlags[number]);
      this.idFlags[number] = known | COVERED;
      if (known === ANSWERED && !this.watchesAllTools) this.#watchResultsOf(number);
    }
  }

  /** A result that came before its call was not worth watching until now. @param {number} number */
  #watchResultsOf(number) {
    for (let row = 0; row < this.length; row++) {
      if (this.idNumbers[row] === number) this.flags[row] = /** @type {number} */ (this.flags[row]) | WATCHED;
    }
  }

  /**
   * Reads a tool result again whose id is as it was; false when nothing that counts has changed.
   * @param {number} row
   * @param {any} message
   */
  reread(row, message) {
    const content = this.readsContents ? contentOf(message) : undefined;
    const timestamp = timeOf(message);
    let flags = TOOL | ((this.flags[row] ?? 0) & WATCHED);
    if (message.messageStatus === 'error') flags |= STATUS_ERROR;
    if (content !== undefined) flags |= HAS_TEXT;
    if (flags === this.flags[row] && content === this.contents[row] && sameTime(timestamp, this.timestamps[row]))
      return false;
    this.flags[row] = flags;
    this.contents[row] = content;
    this.timestamps[row] = timestamp;
    return true;
  }

  /**
   * Whether a message that could not be read can be read now.
   * @param {any} message
   */
  isReadable(message) {
    return this.#readInto(this.length, message) !== UNREADABLE;
  }

  /** The message in `row` can't be copied: its content counts as none. @param {number} row */
  hideContent(row) {
    this.contents[row] = undefined;
    this.flags[row] = /** @type {number} */ (this.flags[row]) & ~HAS_TEXT;
  }

  /** @param {unknown} id */
  #numberOf(id) {
    if (typeof id !== 'string' || id === '') return -1;
    let number = this.numbers.get(id);
    if (number === undefined) {
      number = this.numbers.size;
      this.numbers.set(id, number);
      this.idFlags.push(0);
    }
    return number;
  }

  /** @param {unknown} id one that was read */
  idNumber(id) {
    return typeof id === 'string' ? (this.numbers.get(id) ?? -1) : -1;
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

  #grow() {
    const size = this.flags.length * 2;
    const enlarge = (/** @type {any} */ larger, /** @type {any} */ column) => {
      larger.set(column);
      return larger;
    };
    this.flags = enlarge(new Uint8Array(size), this.flags);
    this.timestamps = enlarge(new Float64Array(size), this.timestamps);
    this.idNumbers = enlarge(new Int32Array(size), this.idNumbers);
    this.callEnds = enlarge(new Int32Array(size), this.callEnds);
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

/**
 * @param {number} a
 * @param {number | undefined} b
 */
function sameTime(a, b) {
  return a === b || (Number.isNaN(a) && Number.isNaN(b));
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
  sameTime,
};
