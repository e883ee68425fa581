// @ts-check
'use strict';

const { isList } = require('../lists.js');
const { callIdOf, calleeOf, nameOf } = require('../messages/chat.js');

/**
 * @typedef {InstanceType<typeof import('./conversation.js').Conversation>} Conversation
 * @typedef {import('../messages/row.js').ReadCall} ReadCall
 *
 * A decided conversation, or one with other edits in its decision.
 * @typedef {Pick<Conversation, 'decision' | 'layout' | 'transcript' | 'engine' | 'changes'>} Decided
 *
 * Changes to one message. `texts`: new texts, keyed by part; `calls`: calls that get a generated result.
 * @typedef {{ texts: Map<number, string>, removedParts: Set<number>, calls: ReadCall[], removedCalls: ReadCall[] }} Change
 */

/** @type {Set<number>} */ const NO_PARTS = new Set();
/** @type {ReadCall[]} */ const NO_CALLS = [];

/** The changes of a decision, keyed by message. They are kept because most stay the same at the next request. */
class Changes {
  /** @param {Decided} conversation */
  constructor({ decision: { dropped, answered, repeated, edits } }) {
    /** Calls that get a generated result, in the order of `answered`. @type {ReadCall[]} */ this.calls = [];
    /** Messages whose change is not in an outcome yet. @type {Set<number>} */ this.unapplied = new Set();
    this.dropped = dropped;
    this.answered = answered;
    this.duplicateCalls = repeated;
    this.edits = edits;
    this.count = 0;
    this.lastRow = -1;
    /** @type {Map<number, Change>} */ this.byMessage = new Map();
  }

  /** @param {Decided} conversation */
  static of(conversation) {
    const { decision, layout, changes: before } = conversation;
    const { dropped, answered, repeated, edits, editCount } = decision;
    const isSame = before !== null && before.dropped === dropped && before.edits === edits && before.count <= editCount;
    const areSameCalls = isSame && before.answered === answered && before.duplicateCalls === repeated;
    const areCallsUnchanged = areSameCalls && before.#hasSameCalls(conversation);
    const isReusable = areCallsUnchanged && before.lastRow < layout.stableRows;
    const changes = isReusable ? before : new Changes(conversation);
    if (!isReusable) changes.#addRows(conversation);
    changes.#addEdits(conversation);
    layout.stableRows = Number.POSITIVE_INFINITY;
    conversation.changes = changes;
    return changes;
  }

  /** @param {Decided} conversation */
  #addRows(conversation) {
    const { layout, transcript } = conversation;
    const { dropped, answered, repeated } = conversation.decision;
    for (const row of dropped) {
      const change = this.#changeOf(layout.messageOf(row), row);
      if (change.removedParts === NO_PARTS) change.removedParts = new Set();
      change.removedParts.add(layout.partOf(row));
    }
    for (const call of answered) {
      const row = transcript.calls.rowOf(call);
      const change = this.#changeOf(layout.messageOf(row), row);
      if (change.calls === NO_CALLS) change.calls = [];
      const read = readCall(conversation, call, row);
      this.calls.push(read);
      change.calls.push(read);
    }
    for (const call of repeated) {
      const row = transcript.calls.rowOf(call);
      const change = this.#changeOf(layout.messageOf(row), row);
      if (change.removedCalls === NO_CALLS) change.removedCalls = [];
      change.removedCalls.push(readCall(conversation, call, row));
    }
  }

  /** True if the calls in `answered` have the same ids and names as before. @param {Decided} conversation */
  #hasSameCalls(conversation) {
    return this.answered.every((call, nth) => {
      const { id, name } = readCall(conversation, call, conversation.transcript.calls.rowOf(call));
      return id === this.calls[nth]?.id && name === this.calls[nth]?.name;
    });
  }

  /** @param {Decided} conversation */
  #addEdits(conversation) {
    const { decision, layout } = conversation;
    const { editCount } = decision;
    for (let edit = this.count; edit < editCount; edit++) {
      const row = decision.rowOf(edit);
      const text = /** @type {string} */ (decision.texts[edit]);
      this.#changeOf(layout.messageOf(row), row).texts.set(layout.partOf(row), text);
    }
    this.count = editCount;
  }

  /** @param {number} message @param {number} row @returns {Change} */
  #changeOf(message, row) {
    if (row > this.lastRow) this.lastRow = row;
    this.unapplied.add(message);
    let change = this.byMessage.get(message);
    if (change === undefined) {
      change = { texts: new Map(), removedParts: NO_PARTS, calls: NO_CALLS, removedCalls: NO_CALLS };
      this.byMessage.set(message, change);
    }
    return change;
  }
}

/** @param {Decided} conversation @param {number} nth @param {number} row @returns {ReadCall} */
function readCall({ layout, transcript }, nth, row) {
  const at = nth - transcript.calls.before(row);
  const { tool_calls, toolCalls } = layout.rows[row];
  const calls = tool_calls ?? toolCalls;
  const call = isList(calls) ? calls[at] : undefined;
  if (call?.settled !== undefined) return call;
  const id = callIdOf(call) ?? transcript.calls.ids[nth];
  return { id, name: nameOf(calleeOf(call)), arguments: undefined, settled: false, at };
}

module.exports = { Changes };
