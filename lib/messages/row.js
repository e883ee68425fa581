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

/** Behind the id of a result that stands where it can't answer: no call has such an id. */
const STRAY = '\u0000stray';

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

  /**
   * Whether this still is the result that a part of its message is.
   * @param {unknown} id as the part says it @param {unknown} held @param {boolean} failed @param {number} part
   */
  isStillResult(id, held, failed, part) {
    if (this.role !== 'tool' || this.held !== held || this.part !== part) return false;
    if (failed !== (this.messageStatus === 'error')) return false;
    const own = this.tool_call_id;
    if (own !== id && !(typeof own === 'string' && typeof id === 'string' && own.startsWith(id) && own.endsWith(STRAY)))
      return false;
    return this.#seesTheSame();
  }

  /**
   * Whether the call of number `nth` still is the one that a part of the message declares.
   * @param {number} nth @param {unknown} id @param {unknown} name @param {unknown} given its arguments @param {number} at
   */
  isStillCall(nth, id, name, given, at, settled = false) {
    const call = this.tool_calls?.[nth];
    if (call === undefined || call.name !== name || call.arguments !== given || call.at !== at) return false;
    return call.id === id && call.settled === settled;
  }

  /** Whether so many calls are all. @param {number} calls */
  hasCalls(calls) {
    return this.role === 'assistant' && this.tool_calls?.length === calls;
  }

  /** What nobody has looked into may have changed. */
  #seesTheSame() {
    const { seen, held } = this;
    if (seen === undefined) return true;
    if (seen !== null && typeof held === 'string') return seen.text === held;
    const now = this.look?.(held) ?? null;
    return now?.text === seen?.text && now?.hasMedia === seen?.hasMedia;
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

/** Whether the rows from `at` to `end` are those of so many results. @param {number} results @param {readonly any[]} rows @param {number} at @param {number} end */
function areResults(results, rows, at, end) {
  return results === 0 ? rows[at].role === 'other' : results === end - at;
}

module.exports = { Row, STRAY, areResults, differs };
