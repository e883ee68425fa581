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
  constructor(conversation) {
    const { decision, table } = conversation;
    const { droppedRows, answeredCalls, duplicateCalls, edits } = decision;
    this.droppedRows = droppedRows;
    this.answeredCalls = answeredCalls;
    this.duplicateCalls = duplicateCalls;
    this.edits = edits;
    /** Count of edits in `byMessage`. */ this.editCount = 0;
    /** The answered calls, then the duplicates, as they were read. @type {{ row: number, read: ReadCall }[]} */
    this.readCalls = [];
    /** The last row that is changed. */ this.lastRow = -1;
    /** Messages whose change was added to `byMessage` since `outcomeOf` last applied it. @type {Set<number>} */
    this.unapplied = new Set();
    /** @type {Map<number, Change>} */ this.byMessage = new Map();
    for (const row of droppedRows) this.#changeOf(table.messageOf(row), row).removedParts.add(table.partOf(row));
    for (let nth = 0; nth < answeredCalls.length + duplicateCalls.length; nth++) {
      const { row, read } = callAt(conversation, nth);
      this.readCalls.push({ row, read });
      const change = this.#changeOf(table.messageOf(row), row);
      (nth < answeredCalls.length ? change.answeredCalls : change.removedCalls).push(read);
    }
  }

  /** The previous changes with the edits that were added, if nothing else changed; otherwise new ones. @param {Decided} conversation */
  static of(conversation) {
    const { table, changes: previous, decision } = conversation;
    const changes = previous?.isContinuedBy(conversation) === true ? previous : new Changes(conversation);
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
    // Calls of equal numbers may be in another row if messages changed places, or have another id or name if they were edited in place.
    return this.readCalls.every(({ row, read: { at, id, name } }, nth) => {
      const { row: newRow, read } = callAt(conversation, nth);
      return newRow === row && read.at === at && read.id === id && read.name === name;
    });
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

/** An answered call, or after all of them a duplicate, as its row has it; that may differ from the transcript. @param {Decided} conversation @param {number} nth */
function callAt({ decision: { answeredCalls, duplicateCalls }, table, transcript: { calls } }, nth) {
  const call = /** @type {number} */ (answeredCalls[nth] ?? duplicateCalls[nth - answeredCalls.length]);
  const row = calls.rowOf(call);
  const at = call - calls.before(row);
  const declared = callsOf(table.rows[row])?.[at];
  // A call of another dialect than chat was read already.
  if (declared?.settled !== undefined) return { row, read: declared };
  const id = callIdOf(declared) ?? calls.ids[call];
  return { row, read: { id, name: nameOf(calleeOf(declared)), arguments: undefined, settled: false, at } };
}

module.exports = { Changes };
