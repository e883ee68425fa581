// @ts-check
'use strict';

const { argumentsOf, callIdOf, calleeOf, nameOf, otherIdOf } = require('../messages/chat.js');
const { ALL_ARGUMENTS, CALL_ARGUMENTS, CALL_IDS, NOT_READ } = require('./row-flags.js');

/** The calls that a conversation's messages declare, in columns. A call is identified by its index in the order of declaration. */
class DeclaredCalls {
  /** @param {number} depth how much of each call is read and compared: `CALL_IDS` … `ALL_ARGUMENTS` @param {InstanceType<typeof Numbering>} numbering */
  constructor(depth, numbering) {
    this.depth = depth;
    this.numbering = numbering;
    /** For each row, the end of its calls among all calls. @type {number[]} */ this.ends = [];
    /** @type {unknown[]} */ this.ids = [];
    /** @type {unknown[]} */ this.names = [];
    /** As JSON; `NOT_READ` if no rule needs them. @type {unknown[]} */ this.arguments = [];
    /** Stamps of object arguments, set when first compared. @type {(InstanceType<typeof import('../messages/stamp.js').Stamp> | null)[]} */
    this.stamps = [];
    /** Calls that need no result. @type {Set<number>} */ this.settled = new Set();
    /** Count of calls for each tool that no rule covers. @type {Map<string, number>} */ this.uncovered = new Map();
    /** A frozen copy of `uncovered` for reports; undefined once `uncovered` has changed. @type {Readonly<Record<string, number>> | undefined} */
    this.frozenUncovered = undefined;
    /** True once a call that was read was removed from the messages. */ this.hasRemoved = false;
  }

  get length() {
    return this.ids.length;
  }

  /** Count of calls declared by earlier rows. @param {number} row */
  before(row) {
    return row === 0 ? 0 : /** @type {number} */ (this.ends[row - 1]);
  }

  /** The row that declares a call. @param {number} call */
  rowOf(call) {
    let [low, high] = [0, this.ends.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (/** @type {number} */ (this.ends[middle]) > call) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /** True if a rule covers the call's tool. @param {number} call */
  isCovered(call) {
    return this.depth !== CALL_IDS && this.numbering.nameOf(this.names[call])?.covered === true;
  }

  /** Adds the calls of the next row. @param {readonly any[]} calls @param {InstanceType<typeof import('../messages/row.js').Row> | null} row null for a chat message */
  read(calls, row) {
    for (let nth = 0; nth < calls.length; nth++) {
      const call = calls[nth];
      const callee = this.depth === CALL_IDS ? undefined : calleeOf(call);
      const id = callIdOf(call);
      const otherId = otherIdOf(call);
      if (otherId !== undefined) this.numbering.alias(id, otherId);
      this.ids.push(id);
      if (row !== null && call.settled) this.settled.add(this.ids.length - 1);
      const name = nameOf(callee);
      this.names.push(name);
      const tool = this.depth === CALL_IDS ? undefined : this.numbering.nameOf(name);
      if (tool?.covered === false) this.#countUncovered(name, 1);
      const isRead = this.depth === ALL_ARGUMENTS || (this.depth === CALL_ARGUMENTS && tool?.readsArguments === true);
      if (isRead) this.arguments.push(row === null ? argumentsOf(callee) : row.argumentsOf(nth));
      else this.arguments.push(NOT_READ);
    }
  }

  /** @param {any} name @param {1 | -1} change */
  #countUncovered(name, change) {
    const count = (this.uncovered.get(name) ?? 0) + change;
    if (count > 0) this.uncovered.set(name, count);
    else this.uncovered.delete(name);
    this.frozenUncovered = undefined;
  }

  /** For each tool that no rule covers, the count of its calls. */
  uncoveredTools() {
    this.frozenUncovered ??= Object.freeze(Object.fromEntries(this.uncovered));
    return this.frozenUncovered;
  }

  /** Forgets the calls from `length` on, but not the rows in `ends`. @param {number} length */
  truncate(length) {
    this.hasRemoved ||= length < this.ids.length;
    if (this.uncovered.size > 0) {
      for (let call = length; call < this.names.length; call++) {
        if (this.numbering.nameOf(this.names[call])?.covered === false) this.#countUncovered(this.names[call], -1);
      }
    }
    if (this.settled.size > 0) for (const call of this.settled) if (call >= length) this.settled.delete(call);
    for (const column of [this.ids, this.names, this.arguments]) column.length = length;
    if (this.stamps.length > length) this.stamps.length = length;
  }
}

/** Numbers call ids and tool names once for each conversation. The core uses only these numbers. */
class Numbering {
  /** @param {(name: string) => number} addName adds a tool's name to the core; returns 0 if no rule covers it, 2 if a rule reads its arguments, else 1 */
  constructor(addName) {
    this.addName = addName;
    /** @type {Map<string, number>} */ this.ids = new Map();
    /** True once a call with two ids was read. */ this.hasAliases = false;
    /** @type {Map<string, { number: number, covered: boolean, readsArguments: boolean }>} */ this.names = new Map();
  }

  /** The id's number; −1 if it is not a non-empty string. @param {unknown} id */
  idOf(id) {
    if (typeof id !== 'string' || id === '') return -1;
    let number = this.ids.get(id);
    if (number === undefined) {
      number = this.ids.size;
      this.ids.set(id, number);
    }
    return number;
  }

  /** True if both are ids of one call, which may have two. @param {unknown} id @param {unknown} other */
  areSame(id, other) {
    if (typeof id !== 'string' || id === '') return false;
    return id === other || (this.ids.has(id) && this.ids.get(id) === this.ids.get(/** @type {string} */ (other)));
  }

  /** Gives two ids the same number, unless both have one already. @param {unknown} id @param {unknown} other */
  alias(id, other) {
    if (typeof id !== 'string' || typeof other !== 'string' || id === '' || other === '') return;
    this.hasAliases = true;
    const number = this.ids.get(other);
    if (number === undefined) this.ids.set(other, this.idOf(id));
    else if (!this.ids.has(id)) this.ids.set(id, number);
  }

  /** The tool's number, and what rules need of its calls; undefined if the name is no string. @param {unknown} name */
  nameOf(name) {
    if (typeof name !== 'string') return undefined;
    let tool = this.names.get(name);
    if (tool === undefined) {
      const coverage = this.addName(name);
      tool = { number: this.names.size, covered: coverage > 0, readsArguments: coverage > 1 };
      this.names.set(name, tool);
    }
    return tool;
  }
}

/** Links the rows of each id number, so that they are found without scanning the conversation. */
class RowsById {
  constructor() {
    /** For each id number, its last row, or −1. @type {number[]} */ this.last = [];
    /** For each row, the previous row of the same id, or −1. @type {number[]} */ this.previous = [];
  }

  /** The last row of an id, or −1. @param {number} number negative for none @returns {number} */
  lastOf(number) {
    return number < 0 ? -1 : (this.last[number] ?? -1);
  }

  /** Rows of an id, newest first. @param {number} number */
  rowsOf(number) {
    const rows = [];
    for (let row = this.lastOf(number); row >= 0; row = /** @type {number} */ (this.previous[row])) rows.push(row);
    return rows;
  }

  /** Adds the next row. @param {number} row @param {number} number of its id; negative if the row has none */
  add(row, number) {
    this.previous[row] = this.lastOf(number);
    if (number >= 0) this.last[number] = row;
  }

  /** Removes the last row. @param {number} row @param {number} number as passed to `add` */
  removeLast(row, number) {
    if (number >= 0) this.last[number] = /** @type {number} */ (this.previous[row]);
    this.previous.length = row;
  }
}

module.exports = { DeclaredCalls, Numbering, RowsById };
