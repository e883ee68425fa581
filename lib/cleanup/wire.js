// @ts-check
'use strict';

/**
 * Writes a transcript's changes into the flat array of numbers that the core reads (`inbox`), and reads its decision from another (`outbox`); see
 * `src/layouts.rs`. All conversations of a thread share both arrays: each is read before any other code runs.
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

/**
 * @typedef {InstanceType<typeof import('./transcript.js').Transcript>} Transcript
 * @typedef {InstanceType<typeof import('./conversation.js').Decision>} Decision
 */

/** `buffer`, or a larger one if it is shorter than `length`. @param {Float64Array<ArrayBuffer>} buffer @param {number} length */
function atLeast(buffer, length) {
  return buffer.length >= length ? buffer : new Float64Array(Math.max(length, buffer.length * 2));
}

/**
 * The core's input for a decision.
 * @param {Transcript} transcript @param {{ now: number, first: number, earlier: readonly { rows: number, now: number }[] }} requests
 * @param {number} keep count of rows that the core keeps
 * @param {number[]} patched kept rows that changed
 * @param {boolean} isCompressed some message is a summary
 */
function encode(transcript, { now, first, earlier }, keep, patched, isCompressed) {
  const { calls, length, numbering } = transcript;
  const { depth, ends, ids, names, settled } = calls;
  let call = calls.before(keep);
  let at = lengthOf(HEAD);
  const rows = length - keep;
  const patchNumbers = patched.length * (1 + ROW_NUMBERS);
  const addedNumbers = rows * ROW_NUMBERS + (ids.length - call) * CALL_NUMBERS;
  inbox = atLeast(inbox, at + patchNumbers + addedNumbers + earlier.length * 2);
  const numbers = inbox;
  numbers[HEAD.now] = now;
  numbers[HEAD.isCompressed] = isCompressed ? 1 : 0;
  numbers[HEAD.keep] = keep;
  numbers[HEAD.patches] = patched.length;
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

/**
 * Writes a row at `at`, before its `calls` calls; returns where the next number goes.
 * @param {Float64Array} numbers @param {Transcript} transcript @param {number} row @param {number} at @param {number} calls
 */
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
 * @param {number} now
 * @param {number} changedCount count of rows that are new or changed
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
  keepEdits(decision, previous, outputAt(DECISION.keptEdits));
  for (let at = duplicatesEnd; at < editsEnd; at++) decision.edits.push(outputAt(at));
  for (let at = editsEnd; at < needed; at++) decision.groups.push(outputAt(at));
  decision.editCount = decision.edits.length / EDIT_NUMBERS;
  return decision;
}

/** @param {number} at */
function outputAt(at) {
  return /** @type {number} */ (outbox[at]);
}

/** Numbers of the outbox; `previous` itself if it has the same. @param {readonly number[]} previous @param {number} start @param {number} end */
function outputNumbers(previous, start, end) {
  let at = start;
  while (at < end && outbox[at] === previous[at - start]) at++;
  return at === end && previous.length === end - start ? previous : Array.from(outbox.subarray(start, end));
}

/**
 * Takes over the first `kept` edits. A decision's lists are shared with later ones and only grow; if edits are undone, new lists are made.
 * @param {Decision} decision @param {Decision} previous @param {number} kept
 */
function keepEdits(decision, previous, kept) {
  decision.keptEdits = kept;
  if (kept === previous.editCount) {
    const { edits, groups, texts } = previous;
    Object.assign(decision, { edits, groups, texts });
    return;
  }
  let groupCount = 0;
  for (let edit = 0; edit < kept; edit++) groupCount += previous.groupCountOf(edit);
  decision.edits = previous.edits.slice(0, kept * EDIT_NUMBERS);
  decision.groups = previous.groups.slice(0, groupCount);
  decision.texts = previous.texts.slice(0, kept);
}

/** Appends an edit to a decision's list. @param {number[]} edits @param {{ row: number, rule: number, groups: number, request: number }} edit `groups`: count */
function addEdit(edits, { row, rule, groups, request }) {
  const at = edits.length;
  for (let slot = 0; slot < EDIT_NUMBERS; slot++) edits.push(0);
  edits[at + EDIT.row] = row;
  edits[at + EDIT.rule] = rule;
  edits[at + EDIT.groups] = groups;
  edits[at + EDIT.request] = request;
}

module.exports = { EDIT, EDIT_NUMBERS, addEdit, encode, receive };
