// @ts-check
'use strict';

const { jsonText } = require('../json-text.js');
const { isList } = require('../lists.js');
const { argumentsOf } = require('./chat.js');
const { PLAIN } = require('./contents.js');
const { Stamp } = require('./stamp.js');
const { timeOf } = require('./time.js');

/**
 * Shows the rules a message of another dialect in chat's own fields: one row for each of its results, or one for
 * the calls that it declares, or one for whatever else it is. A chat message is its own row.
 *
 * @typedef {import('./contents.js').Seen} Seen
 * @typedef {import('./parts.js').Call} ReadCall
 */

/** @typedef {any} AnyRow a row, or undefined where nothing was read */
/** @typedef {{ text: string | undefined, stamp: InstanceType<typeof Stamp> | null }} Asked */

/** Is appended to the id of a result that stands where it can't answer: no call has such an id. */
const STRAY = '\u0000stray';

/** Whether an id is ours for a result that stands where it can't answer. @param {unknown} own @param {unknown} id as the result says it */
function isStrayOf(own, id) {
  if (typeof own !== 'string' || typeof id !== 'string') return false;
  return own.length === id.length + STRAY.length && own.startsWith(id) && own.endsWith(STRAY);
}

/** In place of a tool's name, where a result has an id. */
const NAMED = Symbol('named');

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
    /** Of a result that has no id of its own, the tool's name, which stands for one. @type {unknown} */
    this.toolName = NAMED;
    /** @type {'error' | undefined} */ this.messageStatus = undefined;
    /** Nobody else speaks: a system message in mid-conversation, or an item of the model's that is no call. */
    this.isAside = false;
    /** Which part of its message it is; −1 for the message as a whole. */
    this.part = -1;
    /** @type {unknown} */ this.held = undefined;
    /** How it is looked into. @type {import('./parts.js').ResultForm} */ this.form = PLAIN;
    /** @type {Seen | null | undefined} */ this.seen = undefined;
    /** What `held` was when it was looked into, where it is no text. @type {InstanceType<typeof Stamp> | null} */ this.stamp =
      null;
    /** By call: the arguments that somebody has asked for. @type {Asked[] | null} */ this.asked = null;
    /** UTF-16 units beside the text, once somebody has asked. */ this.units = -1;
  }

  /** The arguments of call `nth` as JSON. Hosts edit them where they stand: they are watched from then on. @param {number} nth */
  argumentsOf(nth) {
    const call = /** @type {ReadCall} */ (this.tool_calls?.[nth]);
    const text = argumentsOf(call);
    this.asked ??= [];
    if (typeof call.arguments === 'object') this.asked[nth] = { text, stamp: Stamp.of(call.arguments) };
    return text;
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
    if (!this.hasMedia) return 0;
    if (this.units < 0) {
      const content = this.form.content(this.held);
      const parts = isList(content) ? content : [content];
      this.units = parts.reduce((units, part) => units + (typeof part?.text === 'string' ? 0 : unitsOf(part)), 0);
    }
    return this.units;
  }

  /** Whether the message still says when it came. @param {any} message @param {unknown} timestamp its own */
  isTimed(message, timestamp) {
    return timestamp === this.timestamp || Object.is(timeOf(message), this.timestamp);
  }

  /**
   * Whether this still is the result that a part of its message is.
   * @param {unknown} id as the part says it @param {unknown} held @param {boolean} failed @param {number} part
   */
  isStillResult(id, held, failed, part) {
    if (this.role !== 'tool' || this.held !== held || this.part !== part) return false;
    if (failed !== (this.messageStatus === 'error')) return false;
    const own = this.tool_call_id;
    if (own !== id && !isStrayOf(own, id)) return false;
    return this.#seesTheSame();
  }

  /**
   * Whether the call of number `nth` still is the one that a part of the message declares.
   * @param {number} nth @param {unknown} id @param {unknown} name @param {unknown} given its arguments @param {number} at
   */
  isStillCall(nth, id, name, given, at, settled = false) {
    const call = this.tool_calls?.[nth];
    if (call === undefined || call.name !== name || call.arguments !== given || call.at !== at) return false;
    if (call.id !== id || call.settled !== settled) return false;
    const asked = this.asked?.[nth];
    return asked === undefined || asked.stamp?.holds(given) === true || argumentsOf(call) === asked.text;
  }

  /** Whether so many calls are all. @param {number} calls */
  hasCalls(calls) {
    return this.role === 'assistant' && this.tool_calls?.length === calls;
  }

  /** Whether a look now would see what the first look saw; where nobody has looked, any change is the same. */
  #seesTheSame() {
    const { seen, held, form } = this;
    if (seen === undefined) return true;
    // To compare a text is several times faster than to compare all that it lies in.
    if (seen?.hasMedia === false && form.textIn?.(held) === seen.text) return true;
    if (this.stamp?.holds(held) === true) return true;
    this.units = -1;
    this.stamp = Stamp.of(held);
    const now = form.look(held) ?? null;
    return now?.text === seen?.text && now?.hasMedia === seen?.hasMedia;
  }

  #looked() {
    if (this.seen === undefined) {
      this.seen = this.form.look(this.held) ?? null;
      if (typeof this.held === 'object') this.stamp = Stamp.of(this.held);
    }
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
  if (before.isAside !== row.isAside) return true;
  if (before.seen && before.seen.hasMedia !== row.hasMedia) return true;
  const [calls, known] = [row.tool_calls ?? [], before.tool_calls ?? []];
  return calls.length !== known.length || calls.some((call, at) => call.settled !== known[at]?.settled);
}

module.exports = { Row, STRAY, differs };
