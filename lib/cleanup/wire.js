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
/** Valid until, dropped, edits. */
const DECISION_NUMBERS = 3;
/** Row, rule, groups. */
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
 * Has `state` decide: `work` writes to the buffer that it is given and says how many numbers it needed.
 * @param {number} now
 * @param {number} rows
 * @param {(outbox: Float64Array<ArrayBuffer>) => number} work
 * @param {(outbox: Float64Array<ArrayBuffer>) => void} again writes the same to a larger buffer
 * @param {InstanceType<typeof import('./conversation.js').Decision>} decision filled in and returned
 */
function receive(now, rows, work, again, decision) {
  outbox = grown(outbox, DECISION_NUMBERS + EDIT_NUMBERS * rows);
  const needed = work(outbox);
  if (needed > outbox.length) {
    outbox = grown(outbox, needed);
    again(outbox);
  }
  decision.validFrom = now;
  decision.validUntil = /** @type {number} */ (outbox[0]);
  const droppedEnd = DECISION_NUMBERS + /** @type {number} */ (outbox[1]);
  const editsEnd = droppedEnd + /** @type {number} */ (outbox[2]) * EDIT_NUMBERS;
  if (droppedEnd > DECISION_NUMBERS) decision.dropped = outbox.slice(DECISION_NUMBERS, droppedEnd);
  if (editsEnd > droppedEnd) decision.edits = outbox.slice(droppedEnd, editsEnd);
  if (needed > editsEnd) decision.groups = outbox.slice(editsEnd, needed);
  return decision;
}

module.exports = { EDIT_NUMBERS, encode, receive };
