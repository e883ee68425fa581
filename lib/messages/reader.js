// @ts-check
'use strict';

const { callIdOf, callsOf, otherIdOf } = require('./chat.js');
const { partsOf } = require('./parts.js');
const { timeOf } = require('./time.js');
const { Row, STRAY } = require('./row.js');

/**
 * @typedef {import('./choice.js').Dialect} Dialect
 * @typedef {import('./parts.js').CallPart} CallPart
 * @typedef {import('./parts.js').ResultPart} ResultPart
 */

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
    /** By message: how many of its results can't be replaced. @type {number[]} */ this.fixed = [];
    this.unchangeable = 0;
    this.index = 0;
    this.time = Number.NaN;
    this.#newTurn();
    /** Calls that need no result right away; it may come anywhere. @type {Set<unknown>} */ this.settled = new Set();
    /** Some calls are elsewhere, with the provider. */
    this.hasReferences = false;
  }

  #newTurn() {
    /** Ids of the turn's calls. @type {Set<unknown>} */ this.calls = new Set();
    /** Ids of calls that have none of their own, by tool. @type {Map<unknown, string[]>} */ this.unnamed = new Map();
    this.isOpen = false;
    this.inTurn = false;
    /** Whether the dialect of the turn lets system messages stand in it. */ this.letsSystemIn = false;
  }

  /** Forgets the messages from `index` on, and with them the turn that they are part of. @param {number} index */
  rewind(index) {
    // What follows goes on with the turn that was read last.
    if (index >= this.starts.length) return this.starts.length;
    // What holds for the whole conversation may have stood in what is forgotten.
    let from = this.hasReferences || this.settled.size > 0 ? 0 : index;
    // What stands there now may go on with the turn before.
    if (from > 0) from--;
    while (from > 0 && this.begins[from] !== true) from--;
    const row = this.starts[from] ?? this.rows.length;
    this.rows = this.rows.slice(0, row);
    this.owners.length = row;
    this.starts.length = from;
    this.begins.length = from;
    for (const fixed of this.fixed.splice(from)) this.unchangeable -= fixed;
    this.#newTurn();
    if (from === 0) {
      this.settled.clear();
      this.hasReferences = false;
    }
    return from;
  }

  /** @param {number} index @param {any} message @param {Dialect | null} dialect null for chat's own */
  take(index, message, dialect) {
    this.index = index;
    this.starts.push(this.rows.length);
    this.begins.push(!this.inTurn);
    this.fixed.push(0);
    this.time = Number.NaN;
    this.time = (dialect?.timeOf ?? timeOf)(message);
    if (dialect === null) return this.#chat(message);
    const parts = partsOf(message, dialect);
    this.hasReferences ||= parts.hasReferences;
    this.fixed[index] = parts.fixed;
    this.unchangeable += parts.fixed;
    // Results within the model's own message come from the provider's tools in most dialects; no rule replaces them.
    if (parts.isTurn) {
      this.#model(parts.all.filter(isCall), dialect);
      if (dialect.hasOwnResults !== true) return;
      for (const part of parts.all) if (part.kind === 'result' && !part.isProviders) this.#result(part, dialect);
      return;
    }
    let interrupted = false;
    for (const part of parts.all) {
      if (part.kind === 'result') this.#result(part, dialect);
      if (part.kind !== 'interruption') continue;
      this.#newTurn();
      interrupted = true;
    }
    // A row stands for the message, too, where someone speaks beside its results.
    if (!interrupted && this.rows.length > /** @type {number} */ (this.starts[index])) return;
    const row = new Row('other', this.time);
    row.isAside = !interrupted && (parts.role === 'system' || (parts.role === 'assistant' && parts.isItem));
    this.#push(row);
  }

  /** Makes the message its own row, in place of what was read of it so far. @param {any} message */
  takeAsItIs(message) {
    this.rows.length = /** @type {number} */ (this.starts[this.index]);
    this.owners.length = this.rows.length;
    this.#push(message);
  }

  /** @param {any} message chat's */
  #chat(message) {
    const role = message === null || typeof message !== 'object' ? undefined : message.role;
    if (role === 'assistant') {
      this.#openTurn();
      for (const call of callsOf(message) ?? []) {
        this.calls.add(callIdOf(call));
        this.calls.add(otherIdOf(call));
      }
    } else if (role === 'system' || role === 'developer') {
      if (!this.letsSystemIn) this.#newTurn();
    } else if (role !== 'tool' && role !== undefined) this.#newTurn();
    this.#push(message);
  }

  /** @param {CallPart[]} calls that the model's message declares @param {Dialect} dialect */
  #model(calls, dialect) {
    this.#openTurn();
    this.letsSystemIn = dialect.hasSystemInTurn === true;
    for (const call of calls) {
      if (dialect.isByName && (call.id === undefined || call.id === null)) {
        call.id = this.#idFor(call.name, call.at);
        call.isUnnamed = true;
      }
      if (call.settled) this.settled.add(call.id);
      this.calls.add(call.id);
    }
    const row = new Row('assistant', this.time);
    row.tool_calls = calls;
    this.#push(row);
  }

  #openTurn() {
    // Messages of one side in a row are one to a provider, and a result ends the model's.
    if (!this.isOpen) {
      this.#newTurn();
      this.begins[this.index] = true;
    }
    this.isOpen = true;
    this.inTurn = true;
  }

  /** An id for a call that has none, for the result of its tool that comes next. @param {unknown} name @param {number} at */
  #idFor(name, at) {
    const id = `${textOf(name)}\u0000${this.index}.${at}`;
    const waiting = this.unnamed.get(name);
    if (waiting === undefined) this.unnamed.set(name, [id]);
    else waiting.push(id);
    return id;
  }

  /** The id of the turn's call that a result without an id answers. @param {unknown} name */
  #idOfNext(name) {
    return this.unnamed.get(name)?.shift() ?? `${textOf(name)}${STRAY}`;
  }

  /** `id`, where a call of the turn before has it. @param {unknown} id */
  #inPlace(id) {
    const known = typeof id !== 'string' || this.calls.has(id) || this.settled.has(id);
    return known ? id : `${id}${STRAY}`;
  }

  /** @param {ResultPart} result @param {Dialect} dialect */
  #result({ id, name, held, form, failed, at }, { isInPlace, isByName }) {
    const row = new Row('tool', this.time);
    if (isByName && (id === undefined || id === null)) {
      row.tool_call_id = this.#idOfNext(name);
      row.toolName = name;
    }
    // The call of an output may be an item that only the provider has.
    else if (!this.hasReferences) row.tool_call_id = isInPlace ? this.#inPlace(id) : id;
    row.held = held;
    row.form = form;
    row.messageStatus = failed ? 'error' : undefined;
    row.part = at;
    this.isOpen = false;
    this.#push(row);
  }

  /** @param {any} row */
  #push(row) {
    this.rows.push(row);
    this.owners.push(this.index);
  }
}

/** @param {import('./parts.js').Part} part @returns {part is CallPart} */
function isCall(part) {
  return part.kind === 'call';
}

/** A name that is no text names nothing: an array of four billion places would be joined. @param {unknown} name */
function textOf(name) {
  return typeof name === 'string' ? name : '';
}

module.exports = { Reader };
