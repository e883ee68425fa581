// @ts-check
'use strict';

const { jsonText } = require('../json-text.js');
const { isList } = require('../lists.js');

/**
 * What the rules see of a message that is not chat's, in chat's own fields: one row for each of its results, or one for
 * the calls that it declares, or one for whatever else it is. A chat message is its own row.
 *
 * @typedef {import('./contents.js').Seen} Seen
 * @typedef {{ id: unknown, name: unknown, arguments: unknown, settled: boolean, at: number }} ReadCall `at`: which part
 */

class Row {
  /**
   * @param {'assistant' | 'tool' | 'other'} role
   * @param {number} timestamp in whatever unit; NaN where the message has none
   */
  constructor(role, timestamp) {
    this.role = role;
    this.timestamp = timestamp;
    /** @type {readonly ReadCall[] | undefined} */ this.tool_calls = undefined;
    /** @type {unknown} */ this.tool_call_id = undefined;
    /** @type {'error' | undefined} */ this.messageStatus = undefined;
    /** Which part of its message it is; −1 for the message as a whole. */
    this.part = -1;
    /** @type {unknown} */ this.held = undefined;
    /** @type {((held: any) => Seen | undefined) | undefined} */ this.look = undefined;
    /** @type {Seen | null | undefined} */ this.seen = undefined;
  }

  /** The result's text. Joining and writing JSON costs: only where a rule asks. */
  get content() {
    return this.#looked()?.text;
  }

  get hasMedia() {
    return this.#looked()?.hasMedia === true;
  }

  /** UTF-16 units of what is beside the text, as JSON. */
  get mediaUnits() {
    const parts = this.hasMedia ? (isList(this.held) ? this.held : [this.held]) : [];
    return parts.reduce((units, part) => units + (typeof part?.text === 'string' ? 0 : unitsOf(part)), 0);
  }

  #looked() {
    if (this.seen === undefined) this.seen = this.look?.(this.held) ?? null;
    return this.seen;
  }
}

/** @param {unknown} part */
function unitsOf(part) {
  try {
    return jsonText(part)?.length ?? 0;
  } catch {
    return 0;
  }
}

/** Whether two rows differ in what only rows can say. @param {any} row @param {any} before */
function differs(row, before) {
  if (!(row instanceof Row) || !(before instanceof Row)) return row instanceof Row !== before instanceof Row;
  if (before.seen && before.seen.hasMedia !== row.hasMedia) return true;
  const [calls, known] = [row.tool_calls ?? [], before.tool_calls ?? []];
  return calls.length !== known.length || calls.some((call, at) => call.settled !== known[at]?.settled);
}

module.exports = { Row, differs };
