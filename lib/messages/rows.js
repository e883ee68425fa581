// @ts-check
'use strict';

const { isList } = require('../lists.js');
const { callsOf } = require('./chat.js');
const { rowFormFor } = require('./choice.js');
const { Reader } = require('./reader.js');
const { differs, Row } = require('./row.js');
const { timeOf } = require('./time.js');
const { countForms } = require('./unrecognised.js');

/**
 * @typedef {import('./choice.js').RowDialect} RowDialect
 * @typedef {{ form: import('./form.js').Form | null, dialect: RowDialect | null }} Known
 */

/** What of a message says to whom it is, and what it may hold. */
class Kind {
  /** @param {any} message an object @param {RowDialect | null} dialect that it is read in */
  constructor(message, dialect) {
    this.message = message;
    this.dialect = dialect;
    this.role = message.role;
    this.type = message.type;
    this.parts = partsOf(message);
  }

  /**
   * @param {any} message
   * @param {RowDialect | null} dialect
   * @returns {Kind | undefined} nothing for one that is to be read again at each request
   */
  static of(message, dialect) {
    try {
      if (message === null || typeof message !== 'object') return undefined;
      return message.role === 'assistant' && callsOf(message) !== undefined ? undefined : new Kind(message, dialect);
    } catch {
      return undefined;
    }
  }

  /** @param {any} message */
  isOf(message) {
    const isSame = this.message === message && this.role === message.role && this.type === message.type;
    return isSame && this.parts === partsOf(message);
  }
}

/** How many parts it has; −1 where it has no list of them. @param {any} message */
function partsOf(message) {
  const parts = message.content ?? message.parts;
  return Array.isArray(parts) ? parts.length : -1;
}

/**
 * A conversation's messages as rows. Where all are chat's the rows are the messages themselves, and nothing is walked but
 * to see which objects are new.
 */
class MessageRows {
  /** @param {import('./choice.js').Forced} [forced] */
  constructor(forced) {
    this.forced = forced;
    /** By message, the object whose form is known. @type {unknown[]} */ this.objects = [];
    /** What is no chat message. @type {Map<number, Known>} */ this.foreign = new Map();
    this.readable = 0;
    /** As of the last update. @type {readonly any[]} */ this.rows = [];
    /** Rows up to here look like what they were taken for. */
    this.alike = 0;
    this.isFlat = true;
    this.reader = new Reader();
    /** By message, as it was read. @type {(Kind | undefined)[]} */ this.kinds = [];
    /** Rows before this one are of the message and part that they were of when it was last set. */
    this.settled = Number.POSITIVE_INFINITY;
  }

  /**
   * @param {readonly any[]} messages
   * @param {number} trusted so many at the start are as they were
   */
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
      this.rows = messages;
      this.alike = alike;
    }
  }

  /** @param {number} length */
  #truncate(length) {
    this.objects.length = length;
    if (this.kinds.length > length) this.kinds.length = length;
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
    if (form === (before?.form ?? null) && dialect === (before?.dialect ?? null)) return false;
    this.#forget(index);
    if (form !== null || dialect !== null) this.foreign.set(index, { form, dialect });
    if (dialect !== null) this.readable++;
    return !isNew;
  }

  /**
   * @param {readonly any[]} messages
   * @param {number} trusted
   * @param {number} alike
   */
  #flatten(messages, trusted, alike) {
    const { reader } = this;
    const before = this.rows;
    const from = reader.rewind(this.isFlat ? 0 : this.#firstNews(messages, trusted, alike));
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
    const { reader, kinds } = this;
    const end = Math.min(alike, reader.starts.length, kinds.length, messages.length);
    let index = trusted;
    try {
      while (index < end && this.#isAsRead(index, kinds[index], messages[index])) index++;
    } catch {
      // It throws: what can be read of it is found out again.
    }
    return Math.min(index, alike);
  }

  /** @param {number} index @param {Kind | undefined} kind @param {any} message */
  #isAsRead(index, kind, message) {
    if (!kind?.isOf(message)) return false;
    const { rows, starts } = this.reader;
    const at = /** @type {number} */ (starts[index]);
    const row = rows[at];
    const { dialect } = kind;
    // Chat's own: the rules compare it themselves, and only calls that it declares matter to others.
    if (!dialect) return row === message && (message.role !== 'assistant' || callsOf(message) === undefined);
    const time = dialect.timeOf ?? timeOf;
    if (!(row instanceof Row) || !Object.is(row.timestamp, time(message))) return false;
    return dialect.isAsRead?.(message, rows, at, starts[index + 1] ?? rows.length) === true;
  }

  /** @param {number} index @param {any} message */
  #read(index, message) {
    const { reader } = this;
    const dialect = this.dialectAt(index);
    this.kinds[index] = Kind.of(message, dialect);
    try {
      reader.begin(index, message);
      if (dialect) dialect.read(message, reader);
      else reader.chat(message);
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
    return this.foreign.get(index)?.dialect ?? null;
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

  /** The dialects of what is here, chat's aside. @returns {Set<RowDialect>} */
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
 * What the rules see of `messages`: chat messages as they are, and a row in chat's fields for each result and each
 * message with calls of another dialect.
 * @param {readonly any[]} messages
 * @returns {readonly any[]}
 */
function rowsOf(messages) {
  const known = new MessageRows();
  known.update(messages, 0);
  return known.rows;
}

module.exports = { MessageRows, rowsOf };
