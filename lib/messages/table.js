// @ts-check
'use strict';

const { isList } = require('../lists.js');
const { callsOf } = require('./chat.js');
const { rowFormFor } = require('./choice.js');
const { Reader } = require('./reader.js');
const { differs, Row } = require('./row.js');
const { countForms } = require('./unrecognised.js');
const { mayHoldCalls } = require('./unknown-calls.js');

/**
 * @typedef {import('./choice.js').Dialect} Dialect
 * What is known of a message that isn't chat's; `isUnknown`: nobody here reads it, and it may hold calls or results.
 * @typedef {{ form: import('./form.js').Form | null, dialect: Dialect | null, isUnknown: boolean }} Known
 */

/** How many parts it has; −1 where it has no list of them. @param {any} message */
function partsOf(message) {
  const parts = message.content ?? message.parts;
  return Array.isArray(parts) ? parts.length : -1;
}

/**
 * One conversation's messages, each read once: columns by message, and a row for each message or result. Where all are chat's
 * the rows are the messages themselves, and nothing is walked but to see which objects are new.
 */
class Table {
  /** @param {import('./choice.js').Forced} [forced] */
  constructor(forced) {
    this.forced = forced;
    /** By message, the object whose form is known. @type {unknown[]} */ this.objects = [];
    /** By index, the messages that have another form than chat's. @type {Map<number, Known>} */ this.foreign =
      new Map();
    this.readable = 0;
    /** @type {readonly any[]} */ this.rows = [];
    /** Rows before this one have the form that they had when they were read. */
    this.alike = 0;
    this.isFlat = true;
    this.reader = new Reader();
    /** By message: the object that was read; undefined for one that is to be read again. @type {unknown[]} */ this.read =
      [];
    /** By message: its role, or its type where it has none. @type {unknown[]} */ this.roles = [];
    /** By message: how many parts it had; −1 where it has no list of them. @type {number[]} */ this.parts = [];
    /** By message: what it is read in; null for chat's own. @type {(Dialect | null)[]} */ this.readIn = [];
    /** This many rows at the start were compared here and have not changed; the rules compare the others. */
    this.found = 0;
    /** Rows before this one belong to the same message and part as when this was last set. */
    this.settled = Number.POSITIVE_INFINITY;
  }

  /** @param {readonly any[]} messages @param {number} trusted so many at the start are as they were */
  update(messages, trusted) {
    const { objects } = this;
    const { length } = messages;
    if (objects.length > length) this.#truncate(length);
    let alike = length;
    for (let index = trusted; index < length; index++) {
      if (messages[index] === objects[index]) continue;
      if (this.#note(index, messages[index]) && index < alike) alike = index;
    }
    if (this.readable > 0) this.#flatten(messages, trusted, alike);
    else {
      if (!this.isFlat) this.settled = 0;
      this.isFlat = true;
      this.found = 0;
      this.rows = messages;
      this.alike = alike;
    }
  }

  /** @param {number} length */
  #truncate(length) {
    this.objects.length = length;
    if (this.foreign.size === 0) return;
    for (const index of this.foreign.keys()) if (index >= length) this.#forget(index);
  }

  /** @param {number} index */
  #forget(index) {
    if (this.foreign.get(index)?.dialect) this.readable--;
    this.foreign.delete(index);
  }

  /** Whether the message has another form than the one before it in its place. @param {number} index @param {any} message */
  #note(index, message) {
    const isNew = index >= this.objects.length;
    const { form, dialect } = rowFormFor(message, this.forced);
    this.objects[index] = message;
    if (form === null && dialect === null && this.foreign.size === 0) return false;
    const before = this.foreign.get(index);
    const isUnknown = dialect === null && mayHoldCalls(message, form);
    const isSame = form === (before?.form ?? null) && dialect === (before?.dialect ?? null);
    if (isSame && isUnknown === (before?.isUnknown ?? false)) return false;
    this.#forget(index);
    if (form !== null || dialect !== null) this.foreign.set(index, { form, dialect, isUnknown });
    if (dialect !== null) this.readable++;
    return !isNew;
  }

  /** @param {readonly any[]} messages @param {number} trusted @param {number} alike */
  #flatten(messages, trusted, alike) {
    const { reader } = this;
    const before = this.rows;
    this.found = Number.POSITIVE_INFINITY;
    const from = reader.rewind(this.isFlat ? 0 : this.#firstNews(messages, trusted, alike));
    this.found = Math.min(this.found, reader.rows.length);
    this.settled = Math.min(this.settled, reader.rows.length);
    this.isFlat = false;
    for (let index = from; index < messages.length; index++) this.#read(index, messages[index]);
    this.rows = reader.rows;
    this.alike = reader.starts[alike] ?? this.rows.length;
    const end = Math.min(before.length, this.alike);
    for (let row = reader.starts[from] ?? end; row < end; row++) {
      if (!differs(this.rows[row], before[row])) continue;
      this.alike = row;
      return;
    }
  }

  /**
   * The first message that may say something else than was read; at the latest the first that was not read.
   * @param {readonly any[]} messages
   * @param {number} trusted
   * @param {number} alike
   */
  #firstNews(messages, trusted, alike) {
    const { reader, readIn } = this;
    const end = Math.min(alike, reader.starts.length, messages.length);
    let index = trusted;
    try {
      while (index < end) {
        const dialect = /** @type {Dialect | null} */ (readIn[index]);
        let run = index + 1;
        while (run < end && readIn[run] === dialect) run++;
        index =
          dialect === null ? this.#firstOther(messages, index, run) : dialect.firstChanged(this, messages, index, run);
        if (index < run) break;
      }
    } catch {
      // It throws: what can be read of it is found out again.
    }
    return Math.min(index, alike);
  }

  /** The first of chat's own messages that has changed for others: the rules compare results themselves, so only calls count. @param {readonly any[]} messages @param {number} index @param {number} end */
  #firstOther(messages, index, end) {
    for (; index < end; index++) {
      const message = messages[index];
      if (message !== this.read[index] || this.roles[index] !== message.role) return index;
      if (message.role === 'assistant' && callsOf(message) !== undefined) return index;
      if (message.role === 'tool') this.found = Math.min(this.found, this.rowOf(index));
    }
    return end;
  }

  /**
   * Whether message `index` still is the object that was read, with this role and so many parts.
   * @param {number} index @param {any} message @param {unknown} role @param {number} parts
   */
  isAt(index, message, role, parts) {
    return this.read[index] === message && this.roles[index] === role && this.parts[index] === parts;
  }

  /** Row `nth` of message `index`; another message's where it has fewer. @param {number} index @param {number} [nth] @returns {any} */
  rowAt(index, nth = 0) {
    return this.reader.rows[/** @type {number} */ (this.reader.starts[index]) + nth];
  }

  /** Whether the rows of message `index` are so many results. @param {number} index @param {number} results */
  areResults(index, results) {
    const { rows, starts } = this.reader;
    const at = /** @type {number} */ (starts[index]);
    const end = starts[index + 1] ?? rows.length;
    // Somebody may speak behind them.
    return results === (rows[end - 1].role === 'other' ? end - 1 : end) - at;
  }

  /** @param {number} index @param {any} message */
  #read(index, message) {
    const { reader } = this;
    const dialect = this.foreign.get(index)?.dialect ?? null;
    this.readIn[index] = dialect;
    this.read[index] = undefined;
    try {
      reader.take(index, message, dialect);
      if (message === null || typeof message !== 'object') return;
      // Calls that are edited in place may be none by then: such a message is read again each time.
      if (dialect === null && message.role === 'assistant' && callsOf(message) !== undefined) return;
      this.read[index] = message;
      this.roles[index] = message.role ?? message.type;
      this.parts[index] = partsOf(message);
    } catch {
      // A getter or a proxy throws: the rules are to find that out for themselves.
      reader.takeAsItIs(message);
    }
  }

  /** The first row of message `index`. @param {number} index */
  rowOf(index) {
    return this.isFlat ? index : (this.reader.starts[index] ?? this.rows.length);
  }

  /** The message that `row` is of. @param {number} row */
  ownerOf(row) {
    return this.isFlat ? row : /** @type {number} */ (this.reader.owners[row]);
  }

  /**
   * Forgets the form of chat messages whose content the host has edited into a list of parts: the next update finds it out
   * again.
   * @param {readonly number[]} rows that have changed, or come to matter
   * @returns {boolean} whether there are any
   */
  renew(rows) {
    let hasAny = false;
    for (const row of rows) {
      if (!hasParts(this.rows[row])) continue;
      this.objects[this.ownerOf(row)] = undefined;
      hasAny = true;
    }
    return hasAny;
  }

  /** The dialect of message `index`, where it is not chat's. @param {number} index */
  dialectAt(index) {
    return this.isFlat ? null : (this.readIn[index] ?? null);
  }

  /** Whether the form of the row's message isn't understood, and it may hold calls or results. @param {number} row */
  isUnknown(row) {
    if (this.foreign.size === this.readable) return false;
    return this.foreign.get(this.ownerOf(row))?.isUnknown === true;
  }

  /** Results that no rule can replace: their provider keeps them, or wants them as they were. */
  get unchangeable() {
    return this.isFlat ? 0 : this.reader.unchangeable;
  }

  /** Which part of its message `row` is; −1 for all of it. @param {number} row */
  partOf(row) {
    const held = this.rows[row];
    return held instanceof Row ? held.part : -1;
  }

  /** UTF-16 units of what a result holds beside its text. @param {number} row */
  mediaUnitsOf(row) {
    const held = this.rows[row];
    return held instanceof Row ? held.mediaUnits : 0;
  }

  /** The dialects of what is here, chat's aside. @returns {Set<Dialect>} */
  dialects() {
    const found = new Set();
    for (const { dialect } of this.foreign.values()) if (dialect !== null) found.add(dialect);
    return found;
  }

  /** How many messages nobody here can read, by form. */
  unrecognised() {
    /** @type {import('./form.js').Form[]} */
    const forms = [];
    for (const { form, dialect } of this.foreign.values()) if (dialect === null && form !== null) forms.push(form);
    return countForms(forms);
  }
}

/** Whether a chat's message, its own row, holds a list of parts. @param {any} row */
function hasParts(row) {
  try {
    return !(row instanceof Row) && isList(row.content);
  } catch {
    return false;
  }
}

/**
 * The rows of `messages`, as rules see them: chat messages as they are, and a row in chat's fields for each result and each
 * message with calls of another dialect.
 * @param {readonly any[]} messages
 * @returns {readonly any[]}
 */
function rowsOf(messages) {
  const known = new Table();
  known.update(messages, 0);
  return known.rows;
}

module.exports = { Table, rowsOf };
