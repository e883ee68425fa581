// @ts-check
'use strict';

const { rowFormFor } = require('./choice.js');
const { Reader } = require('./reader.js');
const { differs, Row } = require('./row.js');
const { countForms } = require('./unrecognised.js');

/**
 * @typedef {import('./choice.js').RowDialect} RowDialect
 * @typedef {{ form: import('./form.js').Form | null, dialect: RowDialect | null }} Known
 */

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
      this.isFlat = true;
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
    const before = this.foreign.get(index);
    this.objects[index] = message;
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
    const from = reader.rewind(this.isFlat ? 0 : Math.min(trusted, alike));
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

  /** @param {number} index @param {any} message */
  #read(index, message) {
    const { reader } = this;
    const dialect = this.foreign.get(index)?.dialect;
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
