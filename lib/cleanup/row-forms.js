// @ts-check
'use strict';

const { formOf } = require('../messages/form.js');

/** @typedef {import('../messages/form.js').Form} Form */

/** Which rows of a conversation are no chat messages, and the objects that this was found of. */
class RowForms {
  constructor() {
    /** By row, what is no chat message. @type {Map<number, Form>} */
    this.others = new Map();
    /** By row, the object whose form is known. @type {unknown[]} */
    this.objects = [];
  }

  /** @param {number} row the next one, or one that is read again @param {unknown} message */
  note(row, message) {
    const form = formOf(message);
    if (form !== null) this.others.set(row, form);
    else if (this.others.size > 0) this.others.delete(row);
    this.objects[row] = message;
  }

  /**
   * Whether the message looks like what the row was taken for. An object that a host edits until it has another form is
   * still taken for what it was: to look would cost more than all other comparing, and nobody does that.
   * @param {number} row
   * @param {unknown} message
   */
  isSame(row, message) {
    if (message === this.objects[row]) return true;
    if (formOf(message) !== (this.others.get(row) ?? null)) return false;
    this.objects[row] = message;
    return true;
  }

  /** Forgets the rows from `length` on. @param {number} length */
  truncate(length) {
    for (const row of this.others.keys()) if (row >= length) this.others.delete(row);
    this.objects.length = length;
  }
}

module.exports = { RowForms };
