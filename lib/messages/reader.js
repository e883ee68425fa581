// @ts-check
'use strict';

const { callIdOf, callsOf, otherIdOf, timeOf } = require('./chat.js');
const { partsOf } = require('./parts.js');
const { Row, STRAY } = require('./row.js');

/** @typedef {import('./choice.js').Dialect} Dialect */

/** Makes rows (see `row.js`) of messages. Tracks the assistant's turn: several providers accept a result only directly after its call. */
class Reader {
  constructor() {
    /** @type {any[]} */ this.rows = [];
    /** For each row, the index of its message. @type {number[]} */ this.messageByRow = [];
    /** For each message, its first row. @type {number[]} */ this.firstRowByMessage = [];
    /** For each message, true if it doesn't continue a turn. @type {boolean[]} */ this.startsTurnByMessage = [];
    /** For each message, count of results that can't be replaced. @type {number[]} */ this.unchangeableByMessage = [];
    /** Sum of `unchangeableByMessage`. */ this.unchangeableCount = 0;
    /** Index of the message that is read. */ this.messageIndex = 0;
    /** Time of that message in its own unit; NaN without one. */ this.time = Number.NaN;
    this.#newTurn();
    /** Ids of calls whose result may be anywhere. @type {Set<unknown>} */ this.settled = new Set();
    /** True if calls may be stored only by the provider (OpenAI's `item_reference`). */ this.hasItemReferences = false;
  }

  #newTurn() {
    /** Ids of the current turn's calls. @type {Set<unknown>} */ this.callIds = new Set();
    /** Ids made up for calls, keyed by tool. @type {Map<unknown, string[]>} */ this.madeUpIds = new Map();
    /** True until the turn's first result: until then, a further assistant message continues the turn. */
    this.isBeforeResults = false;
    this.inTurn = false;
    /** True if the turn's dialect allows system messages in it. */ this.allowsSystem = false;
  }

  /** Forgets the turn of message `index` and all later messages. @param {number} index @returns {number} the first forgotten message */
  rewind(index) {
    // New messages continue the current turn.
    if (index >= this.firstRowByMessage.length) return this.firstRowByMessage.length;
    // `settled` and `hasItemReferences` apply to the whole conversation and may come from forgotten messages.
    let from = this.hasItemReferences || this.settled.size > 0 ? 0 : index;
    // The new message at `index` may continue the previous turn.
    if (from > 0) from--;
    while (from > 0 && this.startsTurnByMessage[from] !== true) from--;
    const row = this.firstRowByMessage[from] ?? this.rows.length;
    this.rows = this.rows.slice(0, row);
    this.messageByRow.length = row;
    this.firstRowByMessage.length = from;
    this.startsTurnByMessage.length = from;
    for (const count of this.unchangeableByMessage.splice(from)) this.unchangeableCount -= count;
    this.#newTurn();
    if (from === 0) {
      this.settled.clear();
      this.hasItemReferences = false;
    }
    return from;
  }

  /** Reads the next message. @param {number} index @param {any} message @param {Dialect | null} dialect null for chat */
  read(index, message, dialect) {
    this.messageIndex = index;
    this.firstRowByMessage.push(this.rows.length);
    this.startsTurnByMessage.push(!this.inTurn);
    this.unchangeableByMessage.push(0);
    this.time = Number.NaN;
    this.time = (dialect?.timeOf ?? timeOf)(message);
    if (dialect === null) return this.#readChat(message);
    const parts = partsOf(message, dialect);
    this.hasItemReferences ||= parts.hasItemReferences;
    this.unchangeableByMessage[index] = parts.unchangeableCount;
    this.unchangeableCount += parts.unchangeableCount;
    if (parts.isAssistantTurn) return this.#readAssistant(parts, dialect);
    let isInterrupted = false;
    for (const part of parts.all) {
      if (part.kind === 'result') this.#addResult(part, dialect);
      if (part.kind !== 'interruption') continue;
      this.#newTurn();
      isInterrupted = true;
    }
    // If someone speaks in addition to the results, the message gets another row.
    if (!isInterrupted && this.rows.length > /** @type {number} */ (this.firstRowByMessage[index])) return;
    const row = new Row('other', this.time);
    row.isAside = !isInterrupted && (parts.role === 'system' || (parts.role === 'assistant' && parts.isResponseItem));
    this.#push(row);
  }

  /** Makes the message its own row and discards rows read from it. @param {any} message */
  readAsRow(message) {
    this.rows.length = /** @type {number} */ (this.firstRowByMessage[this.messageIndex]);
    this.messageByRow.length = this.rows.length;
    this.#push(message);
  }

  /** @param {any} message a chat message */
  #readChat(message) {
    const role = message === null || typeof message !== 'object' ? undefined : message.role;
    if (role === 'assistant') {
      this.#continueTurn();
      for (const call of callsOf(message) ?? []) {
        this.callIds.add(callIdOf(call));
        this.callIds.add(otherIdOf(call));
      }
    } else if (role === 'system' || role === 'developer') {
      if (!this.allowsSystem) this.#newTurn();
    } else if (role !== 'tool' && role !== undefined) this.#newTurn();
    this.#push(message);
  }

  /** @param {import('./choice.js').Parts} parts of an assistant message @param {Dialect} dialect */
  #readAssistant(parts, dialect) {
    const calls = parts.all.filter((part) => part.kind === 'call');
    this.#continueTurn();
    this.allowsSystem = dialect.allowsSystemInTurn === true;
    for (const call of calls) {
      if (dialect.matchesByName && isMissing(call.id)) {
        const id = `${textOf(call.name)}\u0000${this.messageIndex}.${call.at}`;
        [call.id, call.hasNoId] = [id, true];
        // The tool's next result without an id gets the same one.
        const ids = this.madeUpIds.get(call.name) ?? [];
        this.madeUpIds.set(call.name, ids);
        ids.push(id);
      }
      if (call.settled) this.settled.add(call.id);
      this.callIds.add(call.id);
    }
    const row = new Row('assistant', this.time);
    row.tool_calls = calls;
    this.#push(row);
    // In other dialects, results in an assistant message come from the provider's tools; no rule replaces them.
    if (dialect.hasResultsWithCalls !== true) return;
    for (const part of parts.all) if (part.kind === 'result' && !part.isProviders) this.#addResult(part, dialect);
  }

  /** Continues the assistant's turn, or starts one. */
  #continueTurn() {
    // Providers join consecutive messages of one role, and a result ends the assistant's message.
    if (!this.isBeforeResults) {
      this.#newTurn();
      this.startsTurnByMessage[this.messageIndex] = true;
    }
    this.isBeforeResults = true;
    this.inTurn = true;
  }

  /** @param {import('./parts.js').ResultPart} result @param {Dialect} dialect */
  #addResult({ id, name, source, form, failed, at }, { needsResultsInTurn, matchesByName }) {
    const row = new Row('tool', this.time);
    if (matchesByName && isMissing(id)) {
      row.tool_call_id = this.madeUpIds.get(name)?.shift() ?? `${textOf(name)}${STRAY}`;
      row.toolName = name;
    }
    // The output's call may be an item that only the provider has.
    else if (!this.hasItemReferences) {
      const isStray = needsResultsInTurn && typeof id === 'string' && !this.callIds.has(id) && !this.settled.has(id);
      row.tool_call_id = isStray ? `${id}${STRAY}` : id;
    }
    row.source = source;
    row.form = form;
    row.messageStatus = failed ? 'error' : undefined;
    row.part = at;
    this.isBeforeResults = false;
    this.#push(row);
  }

  /** @param {any} row */
  #push(row) {
    this.rows.push(row);
    this.messageByRow.push(this.messageIndex);
  }
}

const isMissing = (/** @type {unknown} */ id) => id === undefined || id === null;
/** Empty for a name that isn't text: as a name, an array of four billion elements would be joined. @param {unknown} name */
const textOf = (name) => (typeof name === 'string' ? name : '');

module.exports = { Reader };
