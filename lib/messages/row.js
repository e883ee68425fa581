// @ts-check
'use strict';

const { jsonText, safely } = require('../plain-data.js');
const { isList } = require('../lists.js');
const { argumentsOf, timeOf } = require('./chat.js');
const { PLAIN_RESULT } = require('./tool-result.js');
const { Stamp } = require('./stamp.js');

/**
 * @typedef {import('./parts.js').Call} ReadCall
 * @typedef {any} AnyRow a row; undefined if nothing was read
 */

/** Appended to the id of a result in an invalid place, so that no call has that id. */ const STRAY = '\u0000stray';
/** Value of `toolName` for a row that is matched by id. */ const HAS_ID = Symbol('has id');

/**
 * A message of another dialect than chat, or one result of it, in the fields of a chat message, so that rules need to know only these. A message has a
 * row for each of its results, or one for its calls, or one without either. A chat message is its own row.
 */
class Row {
  /** @param {'assistant' | 'tool' | 'other'} role @param {number} timestamp in the message's own unit; NaN if it has none */
  constructor(role, timestamp) {
    this.role = role;
    this.timestamp = timestamp;
    /** @type {readonly ReadCall[] | undefined} */ this.tool_calls = undefined;
    /** @type {unknown} */ this.tool_call_id = undefined;
    /** The tool's name, for a result without an id. @type {unknown} */ this.toolName = HAS_ID;
    /** @type {'error' | undefined} */ this.messageStatus = undefined;
    /** A system message within the conversation, or an assistant item that is no call. */ this.isAside = false;
    /** Index of the part in its message; −1 for the whole message. */ this.part = -1;
    /** The value that has the result's content. @type {unknown} */ this.source = undefined;
    /** How `source` is read. @type {import('./parts.js').ResultForm} */ this.form = PLAIN_RESULT;
    /** Null if unreadable, undefined if unread. @type {import('./tool-result.js').ResultText | null | undefined} */
    this.resultText = undefined;
    /** Stamp of a `source` that isn't text. @type {InstanceType<typeof Stamp> | null} */ this.stamp = null;
    /** For each call, the arguments that were read. @type {{ text: string | undefined, stamp: InstanceType<typeof Stamp> | null }[] | null} */
    this.readArguments = null;
    /** Cached `mediaUnits`; −1 if unknown. */ this.knownMediaUnits = -1;
  }

  /** True for a result without an id: it has the id that was made up for its call. */
  get isMatchedByName() {
    return this.toolName !== HAS_ID;
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
    return this.#readResult()?.text;
  }

  get hasMedia() {
    return this.#readResult()?.hasMedia === true;
  }

  /** UTF-16 units of images, files and the like in addition to the text, as JSON. */
  get mediaUnits() {
    if (!this.hasMedia) return 0;
    if (this.knownMediaUnits < 0) {
      const content = this.form.content(this.source);
      const parts = isList(content) ? content : [content];
      const mediaParts = parts.filter((part) => typeof part?.text !== 'string');
      this.knownMediaUnits = mediaParts.reduce((units, part) => units + (safely(() => jsonText(part)?.length) ?? 0), 0);
    }
    return this.knownMediaUnits;
  }

  /** True if the message has the same time as before. @param {any} message @param {unknown} timestamp its own */
  isTimed(message, timestamp) {
    return timestamp === this.timestamp || Object.is(timeOf(message), this.timestamp);
  }

  /** True if part `at` still is this result. @param {unknown} id @param {unknown} source @param {boolean} failed @param {number} at */
  isStillResult(id, source, failed, at) {
    if (this.role !== 'tool' || this.source !== source || this.part !== at) return false;
    if (failed !== (this.messageStatus === 'error')) return false;
    const isSameId = this.tool_call_id === id || (typeof id === 'string' && this.tool_call_id === id + STRAY);
    return isSameId && this.#isSameWhenReadAgain();
  }

  /** True if call number `nth` still is this call. @param {number} nth @param {unknown} id @param {unknown} name @param {unknown} input @param {number} at */
  isStillCall(nth, id, name, input, at, settled = false) {
    const call = this.tool_calls?.[nth];
    if (call === undefined || call.name !== name || call.arguments !== input || call.at !== at) return false;
    if (call.id !== id || call.settled !== settled) return false;
    const read = this.readArguments?.[nth];
    return read === undefined || read.stamp?.isUnchanged(input) === true || argumentsOf(call) === read.text;
  }

  /** True if this row has `count` calls. @param {number} count */
  hasCalls(count) {
    return this.role === 'assistant' && this.tool_calls?.length === count;
  }

  /** True if reading `source` again gives the same; always true if it was never read. */
  #isSameWhenReadAgain() {
    const { resultText: before, source, form } = this;
    if (before === undefined) return true;
    // Fast path: comparing the text is several times faster than comparing everything.
    if (before?.hasMedia === false && form.textIn?.(source) === before.text) return true;
    if (this.stamp?.isUnchanged(source) === true) return true;
    this.knownMediaUnits = -1;
    this.stamp = Stamp.of(source);
    const now = form.read(source) ?? null;
    return now?.text === before?.text && now?.hasMedia === before?.hasMedia;
  }

  #readResult() {
    if (this.resultText === undefined) {
      this.resultText = this.form.read(this.source) ?? null;
      if (typeof this.source === 'object') this.stamp = Stamp.of(this.source);
    }
    return this.resultText;
  }
}

/** True if two rows differ in properties that chat messages don't have. @param {any} row @param {any} before */
function rowsDiffer(row, before) {
  if (!(row instanceof Row) || !(before instanceof Row)) return row instanceof Row !== before instanceof Row;
  if (before.isAside !== row.isAside) return true;
  if (before.resultText && before.resultText.hasMedia !== row.hasMedia) return true;
  const [calls, callsBefore] = [row.tool_calls ?? [], before.tool_calls ?? []];
  return calls.length !== callsBefore.length || calls.some((call, nth) => call.settled !== callsBefore[nth]?.settled);
}

module.exports = { Row, STRAY, rowsDiffer };
