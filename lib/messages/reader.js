// @ts-check
'use strict';

const { callIdOf, callsOf } = require('./chat.js');
const { timeOf } = require('./time.js');
const { Row, STRAY } = require('./row.js');

/** @typedef {import('./row.js').ReadCall} ReadCall */

/**
 * Takes down what dialects read, row by row, and knows the model's turn that results answer: several providers accept a
 * result only right behind its call.
 */
class Reader {
  constructor() {
    /** @type {any[]} */ this.rows = [];
    /** By row, its message. @type {number[]} */ this.owners = [];
    /** By message, its first row. @type {number[]} */ this.starts = [];
    /** By message: whether no turn goes on in it. @type {boolean[]} */ this.begins = [];
    this.index = 0;
    this.time = Number.NaN;
    this.#newTurn();
    /** Calls that need no result right away; it may come anywhere. @type {Set<unknown>} */ this.settled = new Set();
    /** Whether someone else than the model and its tools speaks in the message. */
    this.interrupted = false;
    /** Some calls are elsewhere, with the provider. */
    this.hasReferences = false;
  }

  #newTurn() {
    /** Ids of the turn's calls. @type {Set<unknown>} */ this.calls = new Set();
    /** Ids of calls that have none of their own, by tool. @type {Map<unknown, string[]>} */ this.unnamed = new Map();
    this.isOpen = false;
    this.inTurn = false;
  }

  /** Forgets the messages from `index` on, or from where the turn began that it is part of. @param {number} index */
  rewind(index) {
    let from = Math.min(index, this.starts.length);
    // What holds for the whole conversation may have stood in what is forgotten.
    if (from < this.starts.length && (this.hasReferences || this.settled.size > 0)) from = 0;
    // What stands there now may go on with the turn before.
    if (from > 0 && from < this.starts.length) from--;
    while (from > 0 && this.begins[from] !== true) from--;
    const row = this.starts[from] ?? this.rows.length;
    this.rows = this.rows.slice(0, row);
    this.owners.length = row;
    this.starts.length = from;
    this.begins.length = from;
    this.#newTurn();
    if (from === 0) {
      this.settled.clear();
      this.hasReferences = false;
    }
    return from;
  }

  /** @param {number} index @param {any} message */
  begin(index, message) {
    this.index = index;
    this.starts.push(this.rows.length);
    this.begins.push(!this.inTurn);
    this.interrupted = false;
    this.time = Number.NaN;
    this.time = timeOf(message);
  }

  /** What was read of the message so far is not to be. @param {any} message */
  takeAsItIs(message) {
    this.rows.length = /** @type {number} */ (this.starts[this.index]);
    this.owners.length = this.rows.length;
    this.#push(message);
  }

  /** @param {any} message chat's */
  chat(message) {
    const role = message === null || typeof message !== 'object' ? undefined : message.role;
    if (role === 'assistant') this.speak((callsOf(message) ?? []).map(callIdOf));
    else if (role !== 'tool' && role !== undefined) this.interrupt();
    this.#push(message);
  }

  /** The model's message, with the calls that it declares. @param {ReadCall[]} calls */
  model(calls) {
    for (const call of calls) if (call.settled) this.settled.add(call.id);
    this.speak(calls.map(({ id }) => id));
    const row = new Row('assistant', this.time);
    row.tool_calls = calls;
    this.#push(row);
  }

  /** The model's turn begins or goes on. @param {unknown[]} [ids] of its calls */
  speak(ids = []) {
    // Messages of one side in a row are one to a provider, and a result ends the model's.
    if (!this.isOpen) {
      this.#newTurn();
      this.begins[this.index] = true;
    }
    this.isOpen = true;
    this.inTurn = true;
    for (const id of ids) this.calls.add(id);
  }

  /** An id for a call that has none, for the result of its tool that comes next. @param {unknown} name @param {number} at */
  idFor(name, at) {
    const id = `${textOf(name)}\u0000${this.index}.${at}`;
    const waiting = this.unnamed.get(name);
    if (waiting === undefined) this.unnamed.set(name, [id]);
    else waiting.push(id);
    return id;
  }

  /** Someone else speaks: no call before can be answered behind this. */
  interrupt() {
    this.#newTurn();
    this.interrupted = true;
  }

  /** The id of the turn's call that a result without an id answers. @param {unknown} name */
  idOfNext(name) {
    return this.unnamed.get(name)?.shift() ?? `${textOf(name)}${STRAY}`;
  }

  /** `id`, where a call of the turn before has it. @param {unknown} id */
  inPlace(id) {
    const known = typeof id !== 'string' || this.calls.has(id) || this.settled.has(id);
    return known ? id : `${id}${STRAY}`;
  }

  /**
   * @param {object} result
   * @param {unknown} result.id of its call, as the call says it
   * @param {unknown} result.held what `look` looks into, when a rule asks
   * @param {(held: any) => import('./contents.js').Seen | undefined} result.look
   * @param {boolean} result.failed by the dialect's own mark
   * @param {number} [result.part] which of its message's parts; none where the message is the result
   */
  result({ id, held, look, failed, part }) {
    const row = new Row('tool', this.time);
    row.tool_call_id = id;
    row.held = held;
    row.look = look;
    row.messageStatus = failed ? 'error' : undefined;
    row.part = part ?? -1;
    this.isOpen = false;
    this.#push(row);
  }

  /** Nothing that a rule looks at, where no row stands for the message yet, or someone speaks beside its results. */
  other() {
    if (this.interrupted || this.rows.length === this.starts[this.index]) this.#push(new Row('other', this.time));
  }

  /** @param {any} row */
  #push(row) {
    this.rows.push(row);
    this.owners.push(this.index);
  }
}

/** A name that is no text names nothing: an array of four billion places would be joined. @param {unknown} name */
function textOf(name) {
  return typeof name === 'string' ? name : '';
}

module.exports = { Reader };
