// @ts-check
'use strict';

/** What a message is to the rules; the first three are the core's kinds (`src/wire.rs`). */
const OTHER = 0;
const ASSISTANT = 1;
const TOOL = 2;
/** Reading it throws: left alone like any other, but tried again when it comes back. */
const UNREADABLE = 3;

/** One declared tool call, as it was read. */
class CallRecord {
  /**
   * @param {unknown} id
   * @param {unknown} name
   * @param {unknown} args
   */
  constructor(id, name, args) {
    this.id = id;
    this.name = name;
    this.arguments = args;
  }
}

/**
 * What was read of a message. A message that still has these values is known, whichever object it is: hosts
 * replace fields in place, and pass copies of what they passed before.
 */
class Row {
  constructor() {
    this.kind = OTHER;
    /** @type {unknown} */ this.callId = undefined;
    /** @type {unknown} */ this.content = undefined;
    /** @type {unknown} */ this.timestamp = undefined;
    /** @type {unknown} */ this.status = undefined;
    /** @type {CallRecord[] | null} */ this.calls = null;
    /** Where its calls start among all calls of the conversation. */
    this.firstCall = 0;
    /** Some rule depends on content, timestamp or status. */
    this.watched = false;
    /** The object that was found to be plain data, so that it needn't be looked at again. @type {unknown} */
    this.plain = null;
  }
}

/**
 * Reads what the rules need, each field once. Never throws.
 * @param {any} message anything a host may put into its array
 * @returns {Row}
 */
function readRow(message) {
  const row = new Row();
  if (message === null || typeof message !== 'object') return row;
  try {
    const role = message.role;
    if (role === 'tool') {
      row.callId = message.tool_call_id;
      row.timestamp = message.timestamp;
      row.status = message.messageStatus;
      row.content = message.content;
      row.kind = TOOL;
    } else if (role === 'assistant') {
      row.calls = readCalls(message.tool_calls);
      row.content = message.content;
      row.kind = ASSISTANT;
    }
    return row;
  } catch {
    const unreadable = new Row();
    unreadable.kind = UNREADABLE;
    return unreadable;
  }
}

/**
 * @param {unknown} toolCalls
 * @returns {CallRecord[] | null}
 */
function readCalls(toolCalls) {
  if (!Array.isArray(toolCalls) || toolCalls.length === 0) return null;
  const records = [];
  for (let index = 0; index < toolCalls.length; index++) {
    const call = toolCalls[index];
    const declared = call?.function;
    records.push(new CallRecord(call?.id, declared?.name, declared?.arguments));
  }
  return records;
}

/** How much of a declared call a policy depends on. */
const CALL_IDS = 0;
const CALL_NAMES = 1;
const CALL_ARGUMENTS = 2;

/**
 * @param {any} toolCalls
 * @param {CallRecord[] | null} records
 * @param {number} depth how much of each call counts
 */
function sameCalls(toolCalls, records, depth) {
  if (records === null) return !Array.isArray(toolCalls) || toolCalls.length === 0;
  if (!Array.isArray(toolCalls) || toolCalls.length !== records.length) return false;
  for (let index = 0; index < records.length; index++) {
    const record = /** @type {CallRecord} */ (records[index]);
    const call = toolCalls[index];
    if (call?.id !== record.id) return false;
    if (depth === CALL_IDS) continue;
    const declared = call?.function;
    if (declared?.name !== record.name) return false;
    if (depth === CALL_ARGUMENTS && declared?.arguments !== record.arguments) return false;
  }
  return true;
}

/**
 * The first message from `index` on that is not as it was read; `end` when all are. May throw where a message
 * does.
 *
 * This runs over every message before every request: it reads no more than the policy depends on.
 * @param {readonly Row[]} rows
 * @param {readonly any[]} messages
 * @param {number} index
 * @param {number} end
 * @param {number} depth how much of each declared call counts
 */
function firstChanged(rows, messages, index, end, depth) {
  for (; index < end; index++) {
    const row = /** @type {Row} */ (rows[index]);
    const message = messages[index];
    const role = message === null || typeof message !== 'object' ? undefined : message.role;
    const { kind } = row;
    if (kind === TOOL) {
      if (role !== 'tool' || message.tool_call_id !== row.callId) return index;
      if (!row.watched) continue;
      if (message.content !== row.content || message.messageStatus !== row.status) return index;
      const { timestamp } = message;
      if (timestamp !== row.timestamp && !Object.is(timestamp, row.timestamp)) return index;
    } else if (kind === ASSISTANT) {
      if (role !== 'assistant' || !sameCalls(message.tool_calls, row.calls, depth)) return index;
    } else if (kind === UNREADABLE) {
      if (readRow(message).kind !== UNREADABLE) return index;
    } else if (role === 'tool' || role === 'assistant') {
      return index;
    }
  }
  return end;
}

/**
 * As {@link firstChanged}, where a message may throw: what could not be read before and can't be read now has
 * not changed.
 * @param {readonly Row[]} rows
 * @param {readonly any[]} messages
 * @param {number} index
 * @param {number} end
 * @param {number} depth
 */
function firstChangedCarefully(rows, messages, index, end, depth) {
  for (; index < end; index++) {
    try {
      if (firstChanged(rows, messages, index, index + 1, depth) === index) return index;
    } catch {
      return index;
    }
  }
  return end;
}

/**
 * What was read of the same tool result when only content, timestamp or status have changed since; who
 * answers whom is as it was.
 * @param {Row} row
 * @param {unknown} message
 * @returns {Row | undefined}
 */
function readChanged(row, message) {
  if (row.kind !== TOOL) return undefined;
  const next = readRow(message);
  return next.kind === TOOL && next.callId === row.callId ? next : undefined;
}

module.exports = {
  ASSISTANT,
  CALL_ARGUMENTS,
  CALL_IDS,
  CALL_NAMES,
  CallRecord,
  Row,
  TOOL,
  firstChanged,
  firstChangedCarefully,
  readChanged,
  readRow,
};
