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
 * Collects rows from what dialects read, and tracks the assistant's current turn: several providers accept a result only directly after its call.
 */
class Reader {
  constructor() {
    /** @type {any[]} */ this.rows = [];
    /** For each row, its message. @type {number[]} */ this.owners = [];
    /** For each message, its first row. @type {number[]} */ this.starts = [];
    /** For each message, true if it doesn't continue a turn. @type {boolean[]} */ this.startsTurn = [];
    /** For each message, count of results that can't be replaced. @type {number[]} */ this.fixed = [];
    this.unchangeable = 0;
    this.index = 0;
    this.time = Number.NaN;
    this.#newTurn();
    /** Calls whose result may be anywhere. @type {Set<unknown>} */ this.settled = new Set();
    /** Some calls are stored only by the provider. */
    this.hasReferences = false;
  }

  #newTurn() {
    /** Ids of the current turn's calls. @type {Set<unknown>} */ this.calls = new Set();
    /** Ids that we made up for calls without one, keyed by tool. @type {Map<unknown, string[]>} */ this.unnamed =
      new Map();
    this.isOpen = false;
    this.inTurn = false;
    /** True if the turn's dialect allows system messages in it. */ this.allowsSystem = false;
  }

  /** Forgets the messages from `index` on, including the whole turn of message `index`. @param {number} index */
  rewind(index) {
    // New messages continue the current turn.
    if (index >= this.starts.length) return this.starts.length;
    // `settled` and `hasReferences` apply to the whole conversation and may come from forgotten messages.
    let from = this.hasReferences || this.settled.size > 0 ? 0 : index;
    // The new message at `index` may continue the previous turn.
    if (from > 0) from--;
    while (from > 0 && this.startsTurn[from] !== true) from--;
    const row = this.starts[from] ?? this.rows.length;
    this.rows = this.rows.slice(0, row);
    this.owners.length = row;
    this.starts.length = from;
    this.startsTurn.length = from;
    for (const fixed of this.fixed.splice(from)) this.unchangeable -= fixed;
    this.#newTurn();
    if (from === 0) {
      this.settled.clear();
      this.hasReferences = false;
    }
    return from;
  }

  /** @param {number} index @param {any} message @param {Dialect | null} dialect null for chat */
  read(index, message, dialect) {
    this.index = index;
    this.starts.push(this.rows.length);
    this.startsTurn.push(!this.inTurn);
    this.fixed.push(0);
    this.time = Number.NaN;
    this.time = (dialect?.timeOf ?? timeOf)(message);
    if (dialect === null) return this.#readChat(message);
    const parts = partsOf(message, dialect);
    this.hasReferences ||= parts.hasReferences;
    this.fixed[index] = parts.fixed;
    this.unchangeable += parts.fixed;
    // Results in an assistant message come from the provider's tools in most dialects; no rule replaces them.
    if (parts.isTurn) {
      this.#readCalls(parts.all.filter(isCall), dialect);
      if (dialect.hasOwnResults !== true) return;
      for (const part of parts.all) if (part.kind === 'result' && !part.isProviders) this.#addResult(part, dialect);
      return;
    }
    let interrupted = false;
    for (const part of parts.all) {
      if (part.kind === 'result') this.#addResult(part, dialect);
      if (part.kind !== 'interruption') continue;
      this.#newTurn();
      interrupted = true;
    }
    // If someone speaks in addition to the results, the message gets another row.
    if (!interrupted && this.rows.length > /** @type {number} */ (this.starts[index])) return;
    const row = new Row('other', this.time);
    row.isAside = !interrupted && (parts.role === 'system' || (parts.role === 'assistant' && parts.isItem));
    this.#push(row);
  }

  /** Makes the message its own row and discards rows read from it. @param {any} message */
  readAsRow(message) {
    this.rows.length = /** @type {number} */ (this.starts[this.index]);
    this.owners.length = this.rows.length;
    this.#push(message);
  }

  /** @param {any} message a chat message */
  #readChat(message) {
    const role = message === null || typeof message !== 'object' ? undefined : message.role;
    if (role === 'assistant') {
      this.#openTurn();
      for (const call of callsOf(message) ?? []) {
        this.calls.add(callIdOf(call));
        this.calls.add(otherIdOf(call));
      }
    } else if (role === 'system' || role === 'developer') {
      if (!this.allowsSystem) this.#newTurn();
    } else if (role !== 'tool' && role !== undefined) this.#newTurn();
    this.#push(message);
  }

  /** @param {CallPart[]} calls calls of the assistant message @param {Dialect} dialect */
  #readCalls(calls, dialect) {
    this.#openTurn();
    this.allowsSystem = dialect.hasSystemInTurn === true;
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
    // Providers join consecutive messages of one role, and a result ends the assistant's message.
    if (!this.isOpen) {
      this.#newTurn();
      this.startsTurn[this.index] = true;
    }
    this.isOpen = true;
    this.inTurn = true;
  }

  /** Makes up an id for a call without one; the tool's next result gets the same id. @param {unknown} name @param {number} at */
  #idFor(name, at) {
    const id = `${textOf(name)}\u0000${this.index}.${at}`;
    const waiting = this.unnamed.get(name);
    if (waiting === undefined) this.unnamed.set(name, [id]);
    else waiting.push(id);
    return id;
  }

  /** The made-up id of the call that a result without an id belongs to. @param {unknown} name */
  #idOfNextCall(name) {
    return this.unnamed.get(name)?.shift() ?? `${textOf(name)}${STRAY}`;
  }

  /** `id` if a call of the current turn has it; otherwise an id that no call has. @param {unknown} id */
  #idInPlace(id) {
    const known = typeof id !== 'string' || this.calls.has(id) || this.settled.has(id);
    return known ? id : `${id}${STRAY}`;
  }

  /** @param {ResultPart} result @param {Dialect} dialect */
  #addResult({ id, name, held, form, failed, at }, { isInPlace, isByName }) {
    const row = new Row('tool', this.time);
    if (isByName && (id === undefined || id === null)) {
      row.tool_call_id = this.#idOfNextCall(name);
      row.toolName = name;
    }
    // With references, the output's call may be an item that only the provider has.
    else if (!this.hasReferences) row.tool_call_id = isInPlace ? this.#idInPlace(id) : id;
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

/** Empty for a name that isn't text: as a name, an array of four billion elements would be joined. @param {unknown} name */
function textOf(name) {
  return typeof name === 'string' ? name : '';
}

module.exports = { Reader };
