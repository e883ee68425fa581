// @ts-check
'use strict';

const { callIdOf, calleeOf, callsOf, nameOf } = require('../messages/chat.js');

/**
 * @typedef {import('../messages/row.js').ReadCall} ReadCall
 *
 * A decided conversation, or one with other edits in its decision.
 * @typedef {Pick<InstanceType<typeof import('./conversation.js').Conversation>, 'decision' | 'table' | 'transcript' | 'engine' | 'changes'>} Decided
 *
 * Changes to one message. `texts`: new texts, keyed by part; `answeredCalls`: calls that get a generated result.
 * @typedef {{ texts: Map<number, string>, removedParts: Set<number>, answeredCalls: ReadCall[], removedCalls: ReadCall[] }} Change
 */

/** The changes of a decision, keyed by message. They are kept because most stay the same at the next request. */
class Changes {
  /** @param {Decided} conversation */
  constructor({ decision: { droppedRows, answeredCalls, duplicateCalls, edits } }) {
    this.droppedRows = droppedRows;
    this.answeredCalls = answeredCalls;
    this.duplicateCalls = duplicateCalls;
    this.edits = edits;
    /** Count of edits in `byMessage`. */ this.editCount = 0;
    /** For each entry in `answeredCalls`, the call as it was read. @type {ReadCall[]} */ this.readCalls = [];
    /** The last row that is changed. */ this.lastRow = -1;
    /** Messages whose change was added to `byMessage` since `outcomeOf` last applied it. @type {Set<number>} */
    this.unapplied = new Set();
    /** @type {Map<number, Change>} */ this.byMessage = new Map();
  }

  /** The previous changes with the edits that were added, if nothing else changed; otherwise new ones. @param {Decided} conversation */
  static of(conversation) {
    const { table, changes: previous, decision } = conversation;
    const isReusable = previous?.isContinuedBy(conversation) === true;
    const changes = isReusable ? previous : new Changes(conversation);
    if (!isReusable) changes.#addRows(conversation);
    for (const { row, text } of decision.edits.slice(changes.editCount, decision.editCount)) {
      changes.#changeOf(table.messageOf(row), row).texts.set(table.partOf(row), text);
    }
    changes.editCount = decision.editCount;
    table.stableRows = Number.POSITIVE_INFINITY;
    conversation.changes = changes;
    return changes;
  }

  /** True if the decision only has further edits, and rows and calls are the same. @param {Decided} conversation */
  isContinuedBy(conversation) {
    const { droppedRows, answeredCalls, duplicateCalls, edits, editCount } = conversation.decision;
    if (this.droppedRows !== droppedRows || this.edits !== edits || this.editCount > editCount) return false;
    if (this.answeredCalls !== answeredCalls || this.duplicateCalls !== duplicateCalls) return false;
    if (this.lastRow >= conversation.table.stableRows) return false;
    // The answered calls may have been given another id or name in place.
    return this.answeredCalls.every((call, nth) => {
      const { id, name } = readCall(conversation, call, conversation.transcript.calls.rowOf(call));
      return id === this.readCalls[nth]?.id && name === this.readCalls[nth]?.name;
    });
  }

  /** Adds removals and generated results. @param {Decided} conversation */
  #addRows(conversation) {
    const { table, transcript } = conversation;
    const { droppedRows, answeredCalls, duplicateCalls } = conversation.decision;
    for (const row of droppedRows) {
      this.#changeOf(table.messageOf(row), row).removedParts.add(table.partOf(row));
    }
    for (const call of answeredCalls) {
      const row = transcript.calls.rowOf(call);
      const read = readCall(conversation, call, row);
      this.readCalls.push(read);
      this.#changeOf(table.messageOf(row), row).answeredCalls.push(read);
    }
    for (const call of duplicateCalls) {
      const row = transcript.calls.rowOf(call);
      this.#changeOf(table.messageOf(row), row).removedCalls.push(readCall(conversation, call, row));
    }
  }

  /** @param {number} message @param {number} row @returns {Change} */
  #changeOf(message, row) {
    if (row > this.lastRow) this.lastRow = row;
    this.unapplied.add(message);
    let change = this.byMessage.get(message);
    if (change === undefined) {
      change = { texts: new Map(), removedParts: new Set(), answeredCalls: [], removedCalls: [] };
      this.byMessage.set(message, change);
    }
    return change;
  }
}

/** Reads a call in its row; it may differ from the transcript. @param {Decided} conversation @param {number} call @param {number} row @returns {ReadCall} */
function readCall({ table, transcript }, call, row) {
  const at = call - transcript.calls.before(row);
  const declared = callsOf(table.rows[row])?.[at];
  // A call of another dialect than chat was read already.
  if (declared?.settled !== undefined) return declared;
  const id = callIdOf(declared) ?? transcript.calls.ids[call];
  return { id, name: nameOf(calleeOf(declared)), arguments: undefined, settled: false, at };
}

module.exports = { Changes };
