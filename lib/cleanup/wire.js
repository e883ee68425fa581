// @ts-check
'use strict';

/** All conversations of a thread share two buffers. Each is read before any other code runs. */

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

/** @param {Float64Array<ArrayBuffer>} buffer @param {number} length */
function atLeast(buffer, length) {
  return buffer.length >= length ? buffer : new Float64Array(Math.max(length, buffer.length * 2));
}

/**
 * @param {Transcript} transcript
 * @param {{ now: number, first: number, earlier: readonly { rows: number, now: number }[] }} requests
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
  const numbers =
    earlier.length * 2 + patched.length + (rows + patched.length) * ROW_NUMBERS + (ids.length - call) * CALL_NUMBERS;
  inbox = atLeast(inbox, at + numbers);
  const into = inbox;
  into[HEAD.now] = now;
  into[HEAD.isCompressed] = isCompressed ? 1 : 0;
  into[HEAD.keep] = keep;
  into[HEAD.patches] = patched.length;
  into[HEAD.rows] = rows;
  into[HEAD.requests] = earlier.length;
  into[HEAD.firstRequest] = first;
  for (const row of patched) {
    into[at++] = row;
    at = encodeRow(into, transcript, row, at, 0);
  }
  for (let row = keep; row < length; row++) {
    const end = /** @type {number} */ (ends[row]);
    at = encodeRow(into, transcript, row, at, end - call);
    for (; call < end; call++, at += CALL_NUMBERS) {
      into[at + CALL.id] = numbering.idOf(ids[call]);
      into[at + CALL.name] = depth === CALL_IDS ? -1 : (numbering.nameOf(names[call])?.number ?? -1);
      into[at + CALL.isSettled] = settled.has(call) ? 1 : 0;
    }
  }
  for (const request of earlier) {
    into[at++] = request.rows;
    into[at++] = request.now;
  }
  return into;
}

/** @param {Float64Array} into @param {Transcript} transcript @param {number} row @param {number} at @param {number} calls count of calls that follow */
function encodeRow(into, transcript, row, at, calls) {
  const known = /** @type {number} */ (transcript.flags[row]);
  into[at + ROW.flags] = transcript.isFirstSight(row) ? known | IS_FIRST_SIGHT : known;
  into[at + ROW.timestamp] = transcript.timeAt(row);
  into[at + ROW.callId] = (known & TOOL) !== 0 ? transcript.numbering.idOf(transcript.ids[row]) : -1;
  into[at + ROW.calls] = calls;
  return at + ROW_NUMBERS;
}

/**
 * Fills `decision` from the core's output.
 * @param {number} now
 * @param {number} changedCount count of rows that are new or changed
 * @param {(outbox: Float64Array<ArrayBuffer>) => number} work writes the decision, returns how many numbers it needs
 * @param {(outbox: Float64Array<ArrayBuffer>) => void} rewrite writes the same into a larger buffer
 * @param {Decision} decision
 * @param {Decision} before
 */
function receive(now, changedCount, work, rewrite, decision, before) {
  outbox = atLeast(outbox, DECISION_NUMBERS + EDIT_NUMBERS * changedCount);
  const needed = work(outbox);
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
  const repeatedEnd = answeredEnd + outputAt(DECISION.repeated);
  const editsEnd = repeatedEnd + outputAt(DECISION.edits) * EDIT_NUMBERS;
  decision.dropped = numbers(before.dropped, DECISION_NUMBERS, droppedEnd);
  decision.answered = numbers(before.answered, droppedEnd, answeredEnd);
  decision.repeated = numbers(before.repeated, answeredEnd, repeatedEnd);
  decision.duplicates = outputAt(DECISION.duplicates);
  keepEdits(decision, before, outputAt(DECISION.keptEdits));
  for (let at = repeatedEnd; at < editsEnd; at++) decision.edits.push(outputAt(at));
  for (let at = editsEnd; at < needed; at++) decision.groups.push(outputAt(at));
  decision.editCount = decision.edits.length / EDIT_NUMBERS;
  return decision;
}

/** @param {number} at */
function outputAt(at) {
  return /** @type {number} */ (outbox[at]);
}

/** Returns `before` itself if the outbox has the same numbers. @param {readonly number[]} before @param {number} start @param {number} end */
function numbers(before, start, end) {
  let at = start;
  while (at < end && outbox[at] === before[at - start]) at++;
  return at === end && before.length === end - start ? before : Array.from(outbox.subarray(start, end));
}

/**
 * Keeps the lists of earlier decisions valid: lists only grow, and undone edits create new lists.
 * @param {Decision} decision @param {Decision} before @param {number} kept
 */
function keepEdits(decision, before, kept) {
  decision.keptEdits = kept;
  if (kept === before.editCount) {
    const { edits, groups, texts } = before;
    Object.assign(decision, { edits, groups, texts });
    return;
  }
  let groups = 0;
  for (let edit = 0; edit < kept; edit++) groups += before.groupCountOf(edit);
  decision.edits = before.edits.slice(0, kept * EDIT_NUMBERS);
  decision.groups = before.groups.slice(0, groups);
  decision.texts = before.texts.slice(0, kept);
}

/** @param {number[]} edits @param {{ row: number, rule: number, groups: number, request: number }} edit `groups`: count */
function addEdit(edits, { row, rule, groups, request }) {
  const at = edits.length;
  for (let slot = 0; slot < EDIT_NUMBERS; slot++) edits.push(0);
  edits[at + EDIT.row] = row;
  edits[at + EDIT.rule] = rule;
  edits[at + EDIT.groups] = groups;
  edits[at + EDIT.request] = request;
}

module.exports = { EDIT, EDIT_NUMBERS, addEdit, encode, receive };
