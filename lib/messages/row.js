// @ts-check
'use strict';

const { jsonText } = require('../json-text.js');
const { isList } = require('../lists.js');
const { argumentsOf } = require('./chat.js');
const { PLAIN } = require('./contents.js');
const { Stamp } = require('./stamp.js');
const { timeOf } = require('./time.js');

/**
 * Presents a message of another dialect to rules in chat's fields: one row for each of its results, or one row for its calls, or one row for any other
 * message. A chat message is its own row.
 *
 * @typedef {import('./contents.js').ResultText} ResultText
 * @typedef {import('./parts.js').Call} ReadCall
 */

/** @typedef {any} AnyRow a row; undefined if nothing was read */
/** @typedef {{ text: string | undefined, stamp: InstanceType<typeof Stamp> | null }} ReadArguments */

/** Appended to the id of a result in an invalid place, so that no call has that id. */
const STRAY = '\u0000stray';

/** True if `own` is `id` with {@link STRAY} appended. @param {unknown} own @param {unknown} id the result's id */
function isStrayOf(own, id) {
  if (typeof own !== 'string' || typeof id !== 'string') return false;
  return own.length === id.length + STRAY.length && own.startsWith(id) && own.endsWith(STRAY);
}

/** Value of `toolName` for a result with an id. */
const NAMED = Symbol('named');

class Row {
  /**
   * @param {'assistant' | 'tool' | 'other'} role
   * @param {number} timestamp in the message's own unit; NaN if it has none
   */
  constructor(role, timestamp) {
    this.role = role;
    this.timestamp = timestamp;
    /** @type {readonly ReadCall[] | undefined} */ this.tool_calls = undefined;
    /** @type {unknown} */ this.tool_call_id = undefined;
    /** The tool's name, for a result without an id. @type {unknown} */
    this.toolName = NAMED;
    /** @type {'error' | undefined} */ this.messageStatus = undefined;
    /** A system message within the conversation, or an assistant item that is no call. */
    this.isAside = false;
    /** Index of the part in its message; −1 for the whole message. */
    this.part = -1;
    /** @type {unknown} */ this.held = undefined;
    /** How `held` is read. @type {import('./parts.js').ResultForm} */ this.form = PLAIN;
    /** @type {ResultText | null | undefined} */ this.read = undefined;
    /** Stamp of `held` when it was read, if it isn't text. @type {InstanceType<typeof Stamp> | null} */ this.stamp =
      null;
    /** For each call, the arguments that were read. @type {ReadArguments[] | null} */ this.readArguments = null;
    /** UTF-16 units in addition to the text, once read; −1 before. */ this.units = -1;
  }

  /** The arguments of call `nth` as JSON. Later edits in place are then detected. @param {number} nth */
  argumentsOf(nth) {
    const call = /** @type {ReadCall} */ (this.tool_calls?.[nth]);
    const text = argumentsOf(call);
    this.readArguments ??= [];
    if (typeof call.arguments === 'object') this.readArguments[nth] = { text, stamp: Stamp.of(call.arguments) };
    return text;
  }

  /** The result's text, read only when a rule needs it, because joining and writing JSON is slow. */
  get content() {
    return this.#read()?.text;
  }

  get hasMedia() {
    return this.#read()?.hasMedia === true;
  }

  /** UTF-16 units of images, files and the like in addition to the text, as JSON. */
  get mediaUnits() {
    if (!this.hasMedia) return 0;
    if (this.units < 0) {
      const content = this.form.content(this.held);
      const parts = isList(content) ? content : [content];
      this.units = parts.reduce((units, part) => units + (typeof part?.text === 'string' ? 0 : unitsOf(part)), 0);
    }
    return this.units;
  }

  /** True if the message has the same time as before. @param {any} message @param {unknown} timestamp its own */
  isTimed(message, timestamp) {
    return timestamp === this.timestamp || Object.is(timeOf(message), this.timestamp);
  }

  /**
   * True if this row still is the result in a part of its message.
   * @param {unknown} id the part's id @param {unknown} held @param {boolean} failed @param {number} part
   */
  isStillResult(id, held, failed, part) {
    if (this.role !== 'tool' || this.held !== held || this.part !== part) return false;
    if (failed !== (this.messageStatus === 'error')) return false;
    const own = this.tool_call_id;
    if (own !== id && !isStrayOf(own, id)) return false;
    return this.#isReadTheSame();
  }

  /**
   * True if call number `nth` is still the one that a part of the message declares.
   * @param {number} nth @param {unknown} id @param {unknown} name @param {unknown} given its arguments @param {number} at
   */
  isStillCall(nth, id, name, given, at, settled = false) {
    const call = this.tool_calls?.[nth];
    if (call === undefined || call.name !== name || call.arguments !== given || call.at !== at) return false;
    if (call.id !== id || call.settled !== settled) return false;
    const known = this.readArguments?.[nth];
    return known === undefined || known.stamp?.holds(given) === true || argumentsOf(call) === known.text;
  }

  /** True if this is the count of all calls. @param {number} calls */
  hasCalls(calls) {
    return this.role === 'assistant' && this.tool_calls?.length === calls;
  }

  /** True if reading `held` again gives the same; always true if it was never read. */
  #isReadTheSame() {
    const { read, held, form } = this;
    if (read === undefined) return true;
    // Fast path: comparing the text is several times faster than comparing everything.
    if (read?.hasMedia === false && form.textIn?.(held) === read.text) return true;
    if (this.stamp?.holds(held) === true) return true;
    this.units = -1;
    this.stamp = Stamp.of(held);
    const now = form.read(held) ?? null;
    return now?.text === read?.text && now?.hasMedia === read?.hasMedia;
  }

  #read() {
    if (this.read === undefined) {
      this.read = this.form.read(this.held) ?? null;
      if (typeof this.held === 'object') this.stamp = Stamp.of(this.held);
    }
    return this.read;
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

/** True if two rows differ in properties that chat messages don't have. @param {any} row @param {any} before */
function differs(row, before) {
  if (!(row instanceof Row) || !(before instanceof Row)) return row instanceof Row !== before instanceof Row;
  if (before.isAside !== row.isAside) return true;
  if (before.read && before.read.hasMedia !== row.hasMedia) return true;
  const [calls, known] = [row.tool_calls ?? [], before.tool_calls ?? []];
  return calls.length !== known.length || calls.some((call, at) => call.settled !== known[at]?.settled);
}

module.exports = { Row, STRAY, differs };
