// @ts-check
'use strict';

/**
 * The flat form in which news goes to the core and decisions come back: see `src/wire.rs`. Two buffers serve
 * all conversations of a thread; both are read before any other code runs.
 */

const { ASSISTANT, TOOL } = require('./row.js');

const STATUS_ERROR = 4;
const HAS_TEXT = 8;
const ROW_NUMBERS = 4;
const CALL_NUMBERS = 2;
const HEADER_NUMBERS = 4;
/** Row, rule, units removed. */
const EDIT_NUMBERS = 3;

let inbox = new Float64Array(256);
let outbox = new Float64Array(256);

/**
 * @typedef {InstanceType<typeof import('./row.js').Row>} Row
 * @typedef {InstanceType<typeof import('./conversation.js').Conversation>} Conversation
 */

/**
 * @param {Float64Array<ArrayBuffer>} buffer
 * @param {number} length
 */
function grown(buffer, length) {
  return buffer.length >= length ? buffer : new Float64Array(Math.max(length, buffer.length * 2));
}

/**
 * @param {Conversation} conversation already up to date
 * @param {number} now
 * @param {number} keep rows that the core keeps
 * @param {{ index: number, row: Row }[]} patches
 * @param {Row[]} fresh
 */
function encode(conversation, now, keep, patches, fresh) {
  let length = HEADER_NUMBERS + patches.length * ROW_NUMBERS + fresh.length * ROW_NUMBERS;
  for (const { calls } of fresh) if (calls !== null) length += calls.length * CALL_NUMBERS;
  inbox = grown(inbox, length);
  inbox[0] = now;
  inbox[1] = keep;
  inbox[2] = patches.length;
  inbox[3] = fresh.length;
  let at = HEADER_NUMBERS;
  for (const { index, row } of patches) {
    inbox[at++] = index;
    at = encodeRow(conversation, row, at);
  }
  for (const row of fresh) {
    at = encodeRow(conversation, row, at);
    inbox[at++] = row.calls === null ? 0 : row.calls.length;
    if (row.calls === null) continue;
    for (const call of row.calls) {
      inbox[at++] = conversation.idNumber(call.id);
      inbox[at++] = conversation.nameOf(call.name)?.number ?? -1;
    }
  }
  return inbox;
}

/**
 * @param {Conversation} conversation
 * @param {Row} row
 * @param {number} at
 */
function encodeRow(conversation, row, at) {
  const { kind, timestamp } = row;
  let flags = kind === TOOL || kind === ASSISTANT ? kind : 0;
  if (row.status === 'error') flags |= STATUS_ERROR;
  if (typeof row.content === 'string') flags |= HAS_TEXT;
  inbox[at] = flags;
  inbox[at + 1] = typeof timestamp === 'number' && Number.isFinite(timestamp) ? timestamp : Number.NaN;
  inbox[at + 2] = kind === TOOL ? conversation.idNumber(row.callId) : -1;
  return at + 3;
}

/**
 * @param {number} rows
 * @param {number} rules
 */
function outboxFor(rows, rules) {
  outbox = grown(outbox, 3 + 3 * (rules + 1) + 3 * rows);
  return outbox;
}

/**
 * @param {Float64Array<ArrayBuffer>} numbers
 * @param {number} now
 * @param {number} rules
 * @param {InstanceType<typeof import('./conversation.js').Decision>} decision filled in and returned
 */
function decode(numbers, now, rules, decision) {
  const dropped = /** @type {number} */ (numbers[1]);
  const edits = /** @type {number} */ (numbers[2]);
  decision.validFrom = now;
  decision.validUntil = /** @type {number} */ (numbers[0]);
  let at = 3;
  for (let slot = 0; slot <= rules; slot++, at += 3) {
    decision.savings.push({
      changed: /** @type {number} */ (numbers[at]),
      unitsRemoved: /** @type {number} */ (numbers[at + 1]),
      estimatedTokensSaved: /** @type {number} */ (numbers[at + 2]),
    });
  }
  if (dropped > 0) decision.dropped = numbers.slice(at, at + dropped);
  if (edits > 0) decision.edits = numbers.slice(at + dropped, at + dropped + edits * EDIT_NUMBERS);
  return decision;
}

module.exports = { EDIT_NUMBERS, decode, encode, outboxFor };
