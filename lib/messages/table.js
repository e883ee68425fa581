// @ts-check
'use strict';

const { isList } = require('../lists.js');
const { safely } = require('../plain-data.js');
const { callsOf } = require('./chat.js');
const { rowFormFor } = require('./choice.js');
const { countForms, mayHoldCalls } = require('./form.js');
const { Reader } = require('./reader.js');
const { Row, rowsDiffer } = require('./row.js');

/** @typedef {import('./choice.js').Dialect} Dialect */
/** `isUnknown`: no dialect reads it, and it may hold calls. @typedef {import('./choice.js').Choice & { isUnknown: boolean }} ForeignMessage */

/** Chat messages: rules compare their results themselves. @type {Pick<Dialect, 'isUnchanged'>} */ const CHAT = {
  isUnchanged(table, index, message) {
    if (message !== table.readObjects[index] || table.roles[index] !== message.role) return false;
    if (message.role === 'assistant' && callsOf(message) !== undefined) return false;
    if (message.role === 'tool') table.comparedRows = Math.min(table.comparedRows, table.firstRowOf(index));
    return true;
  },
};

/**
 * One conversation's messages, each read once: columns by message, and rows (see `row.js`). If all are chat messages, the rows are the messages
 * themselves, and the array is only scanned for new objects.
 */
class Table {
  /** @param {import('./choice.js').Forced} [forced] */
  constructor(forced) {
    this.forced = forced;
    /** For each message, the object whose form was detected. @type {unknown[]} */ this.objects = [];
    /** Messages of other forms than chat's. @type {Map<number, ForeignMessage>} */ this.foreign = new Map();
    /** Count of entries in `foreign` that have a dialect. */ this.readableCount = 0;
    /** As rules see them. @type {readonly any[]} */ this.rows = [];
    /** Rows before this one have the same form as when they were read. */ this.sameFormRows = 0;
    /** True if all messages are chat messages, so that each message is its own row. */ this.isFlat = true;
    this.reader = new Reader();
    /** The object that was read; undefined if it must be read again. @type {unknown[]} */ this.readObjects = [];
    /** For each message, its role, or its type without a role. @type {unknown[]} */ this.roles = [];
    /** For each message, the count of its parts; −1 without a list of parts. @type {number[]} */ this.partCounts = [];
    /** The dialect of each message; null for chat. @type {(Dialect | null)[]} */ this.dialectByMessage = [];
    /** Count of rows that were compared here and are unchanged; `commonPrefix` compares the others. */ this.comparedRows = 0;
    /** Earlier rows kept their message and part since this was last set. */ this.stableRows = Number.POSITIVE_INFINITY;
  }

  /** Reads the messages that are new or changed. @param {readonly any[]} messages @param {number} unchangedCount messages at the start that are unchanged */
  update(messages, unchangedCount) {
    const { objects } = this;
    const { length } = messages;
    if (objects.length > length) {
      objects.length = length;
      for (const index of this.foreign.keys()) if (index >= length) this.#forget(index);
    }
    let sameFormCount = length;
    for (let index = unchangedCount; index < length; index++) {
      if (messages[index] === objects[index]) continue;
      if (this.#recordForm(index, messages[index]) && index < sameFormCount) sameFormCount = index;
    }
    if (this.readableCount > 0) this.#readRows(messages, unchangedCount, sameFormCount);
    else {
      if (!this.isFlat) this.stableRows = 0;
      this.isFlat = true;
      this.comparedRows = 0;
      this.rows = messages;
      this.sameFormRows = sameFormCount;
    }
  }

  /** @param {number} index */
  #forget(index) {
    if (this.foreign.get(index)?.dialect) this.readableCount--;
    this.foreign.delete(index);
  }

  /** Records a message's form; true if an earlier message at this index had another form. @param {number} index @param {any} message */
  #recordForm(index, message) {
    const isNew = index >= this.objects.length;
    const { form, dialect } = rowFormFor(message, this.forced);
    this.objects[index] = message;
    if (form === null && dialect === null && this.foreign.size === 0) return false;
    const previous = this.foreign.get(index);
    const isUnknown = dialect === null && mayHoldCalls(message, form);
    const isSame = form === (previous?.form ?? null) && dialect === (previous?.dialect ?? null);
    if (isSame && isUnknown === (previous?.isUnknown ?? false)) return false;
    this.#forget(index);
    if (form !== null || dialect !== null) this.foreign.set(index, { form, dialect, isUnknown });
    if (dialect !== null) this.readableCount++;
    return !isNew;
  }

  /** Reads rows again from the first changed message on. @param {readonly any[]} messages @param {number} unchangedCount @param {number} sameFormCount messages of the same form */
  #readRows(messages, unchangedCount, sameFormCount) {
    const { reader } = this;
    const rowsBefore = this.rows;
    this.comparedRows = Number.POSITIVE_INFINITY;
    const from = reader.rewind(this.isFlat ? 0 : this.#firstChanged(messages, unchangedCount, sameFormCount));
    this.comparedRows = Math.min(this.comparedRows, reader.rows.length);
    this.stableRows = Math.min(this.stableRows, reader.rows.length);
    this.isFlat = false;
    for (let index = from; index < messages.length; index++) this.#read(index, messages[index]);
    this.rows = reader.rows;
    this.sameFormRows = reader.firstRowByMessage[sameFormCount] ?? this.rows.length;
    const end = Math.min(rowsBefore.length, this.sameFormRows);
    for (let row = reader.firstRowByMessage[from] ?? end; row < end; row++) {
      if (!rowsDiffer(this.rows[row], rowsBefore[row])) continue;
      this.sameFormRows = row;
      return;
    }
  }

  /** The first message that may have changed or was not read yet. @param {readonly any[]} messages @param {number} unchangedCount @param {number} sameFormCount */
  #firstChanged(messages, unchangedCount, sameFormCount) {
    const { reader, dialectByMessage } = this;
    const end = Math.min(sameFormCount, reader.firstRowByMessage.length, messages.length);
    let index = unchangedCount;
    try {
      for (; index < end; index++) {
        const { isUnchanged } = dialectByMessage[index] ?? CHAT;
        if (!isUnchanged(this, index, messages[index])) break;
      }
    } catch {
      // A message throws, so it is read again.
    }
    return Math.min(index, sameFormCount);
  }

  /** True if the message is still as it was read. @param {number} index @param {any} message @param {unknown} role @param {number} partCount */
  isAt(index, message, role, partCount) {
    return this.readObjects[index] === message && this.roles[index] === role && this.partCounts[index] === partCount;
  }

  /** Row `nth` of message `index`; a row of a later message if it has fewer. @param {number} index @param {number} [nth] @returns {any} */
  rowAt(index, nth = 0) {
    return this.reader.rows[/** @type {number} */ (this.reader.firstRowByMessage[index]) + nth];
  }

  /** True if message `index` has `count` results. @param {number} index @param {number} count */
  hasResults(index, count) {
    const end = this.firstRowOf(index + 1);
    // The last row may be for text in addition to the results.
    const resultsEnd = this.reader.rows[end - 1].role === 'other' ? end - 1 : end;
    return count === resultsEnd - this.firstRowOf(index);
  }

  /** @param {number} index @param {any} message */
  #read(index, message) {
    const { reader } = this;
    const dialect = this.foreign.get(index)?.dialect ?? null;
    this.dialectByMessage[index] = dialect;
    this.readObjects[index] = undefined;
    try {
      reader.read(index, message, dialect);
      if (message === null || typeof message !== 'object') return;
      // The application may remove its calls in place, so the message is read again each time.
      if (dialect === null && message.role === 'assistant' && callsOf(message) !== undefined) return;
      this.readObjects[index] = message;
      this.roles[index] = message.role ?? message.type;
      const parts = message.content ?? message.parts;
      this.partCounts[index] = Array.isArray(parts) ? parts.length : -1;
    } catch {
      // A getter or a proxy threw; `Transcript` handles the error when it reads the row.
      reader.readAsRow(message);
    }
  }

  /** The first row of message `index`. @param {number} index */
  firstRowOf(index) {
    return this.isFlat ? index : (this.reader.firstRowByMessage[index] ?? this.rows.length);
  }

  /** Index of the message of `row`. @param {number} row */
  messageOf(row) {
    return this.isFlat ? row : /** @type {number} */ (this.reader.messageByRow[row]);
  }

  /** Forgets the form of chat messages whose content became a list, so that it is detected again; true if there were any. @param {readonly number[]} rows */
  forgetForms(rows) {
    const withParts = rows.filter((row) =>
      safely(() => !(this.rows[row] instanceof Row) && isList(this.rows[row].content)),
    );
    for (const row of withParts) this.objects[this.messageOf(row)] = undefined;
    return withParts.length > 0;
  }

  /** The dialect of message `index`; null for chat. @param {number} index */
  dialectAt(index) {
    return this.isFlat ? null : (this.dialectByMessage[index] ?? null);
  }

  /** True if the form of the row's message is unknown and it may hold calls or results. @param {number} row */
  isUnknown(row) {
    if (this.foreign.size === this.readableCount) return false;
    return this.foreign.get(this.messageOf(row))?.isUnknown === true;
  }

  /** Count of results that no rule can replace: their provider keeps them or requires them unchanged. */
  get unchangeable() {
    return this.isFlat ? 0 : this.reader.unchangeableCount;
  }

  /** Index of the row's part in its message; −1 for the whole message. @param {number} row */
  partOf(row) {
    const read = this.rows[row];
    return read instanceof Row ? read.part : -1;
  }

  /** UTF-16 units of a result in addition to its text. @param {number} row */
  mediaUnitsOf(row) {
    const read = this.rows[row];
    return read instanceof Row ? read.mediaUnits : 0;
  }

  /** The dialects of the messages, except chat. @returns {Set<Dialect>} */
  dialects() {
    return new Set([...this.foreign.values()].flatMap(({ dialect }) => dialect ?? []));
  }

  unrecognised() {
    const unreadable = [...this.foreign.values()].filter(({ dialect }) => dialect === null);
    return countForms(unreadable.flatMap(({ form }) => form ?? []));
  }
}

/** The rows of `messages` as rules see them (see `row.js`). @param {readonly any[]} messages */
function rowsOf(messages) {
  const table = new Table();
  table.update(messages, 0);
  return table.rows;
}

module.exports = { Table, rowsOf };
