// @ts-check
'use strict';

/**
 * Writes a transcript's changes into the flat array of numbers that the core reads (`inbox`), and reads its decision from another (`outbox`); see
 * `src/layouts.rs`. All conversations of a thread share both arrays: each is read before any other code runs.
 * @typedef {InstanceType<typeof import('./transcript.js').Transcript>} Transcript
 * @typedef {InstanceType<typeof import('./conversation.js').Decision>} Decision
 */

const { layouts, lengthOf } = require('../layouts.js');
const { CALL_IDS, IS_FIRST_SIGHT, TOOL } = require('./row-flags.js');

const { cleanupNews: HEAD, cleanupRow: ROW, cleanupCall: CALL, cleanupDecision: DECISION, cleanupEdit: EDIT } = layouts;
const ROW_NUMBERS = lengthOf(ROW);
const CALL_NUMBERS = lengthOf(CALL);
const DECISION_NUMBERS = lengthOf(DECISION);
const EDIT_NUMBERS = lengthOf(EDIT);

let inbox = new Float64Array(256);
let outbox = new Float64Array(256);

/** `buffer`, or a larger one if it is shorter than `length`. @param {Float64Array<ArrayBuffer>} buffer @param {number} length */
const atLeast = (buffer, length) =>
  buffer.length >= length ? buffer : new Float64Array(Math.max(length, buffer.length * 2));

/**
 * The core's input for a decision.
 * @param {Transcript} transcript @param {{ now: number, first: number, earlier: readonly { rows: number, now: number }[] }} requests
 * @param {number} keep count of rows that the core keeps @param {ReadonlySet<number>} patched kept rows that changed
 * @param {boolean} isCompressed some message is a summary
 */
function encode(transcript, { now, first, earlier }, keep, patched, isCompressed) {
  const { calls, length, numbering } = transcript;
  const { depth, ends, ids, names, settled } = calls;
  let call = calls.before(keep);
  let at = lengthOf(HEAD);
  const rows = length - keep;
  const patchNumbers = patched.size * (1 + ROW_NUMBERS);
  const addedNumbers = rows * ROW_NUMBERS + (ids.length - call) * CALL_NUMBERS;
  inbox = atLeast(inbox, at + patchNumbers + addedNumbers + earlier.length * 2);
  const numbers = inbox;
  numbers[HEAD.now] = now;
  numbers[HEAD.isCompressed] = isCompressed ? 1 : 0;
  numbers[HEAD.keep] = keep;
  numbers[HEAD.patches] = patched.size;
  numbers[HEAD.rows] = rows;
  numbers[HEAD.requests] = earlier.length;
  numbers[HEAD.firstRequest] = first;
  for (const row of patched) {
    numbers[at++] = row;
    at = encodeRow(numbers, transcript, row, at, 0);
  }
  for (let row = keep; row < length; row++) {
    const end = /** @type {number} */ (ends[row]);
    at = encodeRow(numbers, transcript, row, at, end - call);
    for (; call < end; call++, at += CALL_NUMBERS) {
      numbers[at + CALL.id] = numbering.idOf(ids[call]);
      numbers[at + CALL.name] = depth === CALL_IDS ? -1 : (numbering.nameOf(names[call])?.number ?? -1);
      numbers[at + CALL.isSettled] = settled.has(call) ? 1 : 0;
    }
  }
  for (const request of earlier) {
    numbers[at++] = request.rows;
    numbers[at++] = request.now;
  }
  return numbers;
}

/** Returns where the next number goes. @param {Float64Array} numbers @param {Transcript} transcript @param {number} row @param {number} at @param {number} calls count */
function encodeRow(numbers, transcript, row, at, calls) {
  const flags = /** @type {number} */ (transcript.flags[row]);
  numbers[at + ROW.flags] = transcript.isFirstSight(row) ? flags | IS_FIRST_SIGHT : flags;
  numbers[at + ROW.timestamp] = transcript.timeAt(row);
  numbers[at + ROW.callId] = (flags & TOOL) !== 0 ? transcript.numbering.idOf(transcript.ids[row]) : -1;
  numbers[at + ROW.calls] = calls;
  return at + ROW_NUMBERS;
}

/**
 * Lets the core decide, and fills `decision` from its output.
 * @param {number} now @param {number} changedCount count of rows that are new or changed
 * @param {(outbox: Float64Array<ArrayBuffer>) => number} decide writes the decision, returns how many numbers it needs
 * @param {(outbox: Float64Array<ArrayBuffer>) => void} rewrite writes the same into a larger buffer
 * @param {Decision} decision @param {Decision} previous
 */
function receive(now, changedCount, decide, rewrite, decision, previous) {
  outbox = atLeast(outbox, DECISION_NUMBERS + EDIT_NUMBERS * changedCount);
  const needed = decide(outbox);
  if (needed > outbox.length) {
    outbox = atLeast(outbox, needed);
    rewrite(outbox);
  }
  decision.validFrom = now;
  decision.validUntil = outputAt(DECISION.validUntil);
  decision.inSeconds = outputAt(DECISION.inSeconds);
  decision.unmatchedResults = outputAt(DECISION.unmatched);
  const droppedEnd = DECISION_NUMBERS + outputAt(DECISION.dropped);
  const answeredEnd = droppedEnd + outputAt(DECISION.answered);
  const duplicatesEnd = answeredEnd + outputAt(DECISION.repeated);
  const editsEnd = duplicatesEnd + outputAt(DECISION.edits) * EDIT_NUMBERS;
  decision.droppedRows = outputNumbers(previous.droppedRows, DECISION_NUMBERS, droppedEnd);
  decision.answeredCalls = outputNumbers(previous.answeredCalls, droppedEnd, answeredEnd);
  decision.duplicateCalls = outputNumbers(previous.duplicateCalls, answeredEnd, duplicatesEnd);
  decision.duplicates = outputAt(DECISION.duplicates);
  decision.keptEdits = outputAt(DECISION.keptEdits);
  // A list is shared with later decisions and only grows; if edits are undone, a new list is made.
  const isExtended = decision.keptEdits === previous.editCount;
  decision.edits = isExtended ? previous.edits : previous.edits.slice(0, decision.keptEdits);
  readEdits(decision.edits, duplicatesEnd, editsEnd);
  decision.editCount = decision.edits.length;
  return decision;
}

/** Appends the edits between `at` and `end`, whose groups follow after `end`. @param {Decision['edits']} edits @param {number} at @param {number} end */
function readEdits(edits, at, end) {
  let nextGroup = end;
  for (; at < end; at += EDIT_NUMBERS) {
    const groups = [];
    for (let count = outputAt(at + EDIT.groups); count > 0; count--) groups.push(outputAt(nextGroup++));
    const [row, rule, request] = [outputAt(at + EDIT.row), outputAt(at + EDIT.rule), outputAt(at + EDIT.request)];
    edits.push({ row, rule, request, groups, text: '' });
  }
}

const outputAt = (/** @type {number} */ at) => /** @type {number} */ (outbox[at]);

/** Numbers of the outbox; `previous` itself if it has the same. @param {readonly number[]} previous @param {number} start @param {number} end */
function outputNumbers(previous, start, end) {
  let at = start;
  while (at < end && outbox[at] === previous[at - start]) at++;
  return at === end && previous.length === end - start ? previous : Array.from(outbox.subarray(start, end));
}

module.exports = { encode, receive };
