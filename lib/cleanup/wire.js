// @ts-check
'use strict';

/**
 * The flat form in which news goes to the core and decisions come back: see `src/wire.rs`. Two buffers serve
 * all conversations of a thread; both are read before any other code runs.
 */

const {
  CALL_IDS,
  HAS_MEDIA,
  HAS_TEXT,
  IS_FIRST_SIGHT,
  KIND,
  STATUS_ERROR,
  TOOL,
  UNREADABLE,
} = require('./row-flags.js');

const ROW_NUMBERS = 4;
const CALL_NUMBERS = 2;
const HEADER_NUMBERS = 4;
/** The header of the outbox: valid until, dropped, answered, new edits, times in seconds, edits that stand, results without calls. */
const DECISION_NUMBERS = 7;
/** The numbers of an edit: row, rule, groups, and whether it only rides. */
const EDIT_NUMBERS = 4;

let inbox = new Float64Array(256);
let outbox = new Float64Array(256);

/**
 * @typedef {InstanceType<typeof import('./transcript.js').Transcript>} Transcript
 * @typedef {InstanceType<typeof import('./conversation.js').Decision>} Decision
 */

/**
 * @param {Float64Array<ArrayBuffer>} buffer
 * @param {number} length
 */
function grown(buffer, length) {
  return buffer.length >= length ? buffer : new Float64Array(Math.max(length, buffer.length * 2));
}

/**
 * @param {Transcript} transcript
 * @param {number} now
 * @param {number} keep rows that the core keeps
 * @param {number[]} patched rows among them that have changed
 */
function encode(transcript, now, keep, patched) {
  const { calls, length, numbering } = transcript;
  const { depth, ends, ids, names, settled } = calls;
  const hasSettled = settled.size > 0;
  let call = calls.before(keep);
  const numbers = (length - keep + patched.length) * ROW_NUMBERS + (ids.length - call) * CALL_NUMBERS;
  inbox = grown(inbox, HEADER_NUMBERS + numbers);
  const into = inbox;
  into[0] = now;
  into[1] = keep;
  into[2] = patched.length;
  into[3] = length - keep;
  let at = HEADER_NUMBERS;
  for (const row of patched) {
    into[at++] = row;
    at = encodeRow(into, transcript, row, at);
  }
  for (let row = keep; row < length; row++) {
    at = encodeRow(into, transcript, row, at);
    const end = /** @type {number} */ (ends[row]);
    into[at++] = end - call;
    for (; call < end; call++) {
      const id = numbering.idOf(ids[call]);
      into[at++] = hasSettled && id >= 0 && settled.has(call) ? -2 - id : id;
      into[at++] = depth === CALL_IDS ? -1 : (numbering.nameOf(names[call])?.number ?? -1);
    }
  }
  return into;
}

/**
 * @param {Float64Array} into
 * @param {Transcript} transcript
 * @param {number} row
 * @param {number} at
 */
function encodeRow(into, transcript, row, at) {
  const known = /** @type {number} */ (transcript.flags[row]);
  const kind = known & KIND;
  const sight = transcript.isFirstSight(row) ? IS_FIRST_SIGHT : 0;
  into[at] = kind === UNREADABLE ? 0 : (known & (KIND | STATUS_ERROR | HAS_TEXT | HAS_MEDIA)) | sight;
  into[at + 1] = transcript.timeAt(row);
  into[at + 2] = kind === TOOL ? transcript.numbering.idOf(transcript.ids[row]) : -1;
  return at + 3;
}

/**
 * Has `state` decide: `work` writes to the buffer that it is given and says how many numbers it needed.
 * @param {number} now
 * @param {number} news messages that are new or have changed
 * @param {(outbox: Float64Array<ArrayBuffer>) => number} work
 * @param {(outbox: Float64Array<ArrayBuffer>) => void} again writes the same to a larger buffer
 * @param {Decision} decision filled in and returned
 * @param {Decision} before what this conversation decided last
 */
function receive(now, news, work, again, decision, before) {
  outbox = grown(outbox, DECISION_NUMBERS + EDIT_NUMBERS * news);
  const needed = work(outbox);
  if (needed > outbox.length) {
    outbox = grown(outbox, needed);
    again(outbox);
  }
  decision.validFrom = now;
  decision.validUntil = /** @type {number} */ (outbox[0]);
  decision.inSeconds = /** @type {number} */ (outbox[4]);
  decision.unmatchedResults = /** @type {number} */ (outbox[6]);
  const droppedEnd = DECISION_NUMBERS + /** @type {number} */ (outbox[1]);
  const answeredEnd = droppedEnd + /** @type {number} */ (outbox[2]);
  const editsEnd = answeredEnd + /** @type {number} */ (outbox[3]) * EDIT_NUMBERS;
  decision.dropped = numbers(before.dropped, DECISION_NUMBERS, droppedEnd);
  decision.answered = numbers(before.answered, droppedEnd, answeredEnd);
  keepEdits(decision, before, /** @type {number} */ (outbox[5]));
  for (let at = answeredEnd; at < editsEnd; at++) decision.edits.push(/** @type {number} */ (outbox[at]));
  for (let at = editsEnd; at < needed; at++) decision.groups.push(/** @type {number} */ (outbox[at]));
  decision.editCount = decision.edits.length / EDIT_NUMBERS;
  return decision;
}

/**
 * The numbers in the outbox from `start` to `end`; `before` itself where they are the same.
 * @param {readonly number[]} before
 * @param {number} start
 * @param {number} end
 */
function numbers(before, start, end) {
  let at = start;
  while (at < end && outbox[at] === before[at - start]) at++;
  return at === end && before.length === end - start ? before : Array.from(outbox.subarray(start, end));
}

/**
 * Whoever reads an earlier decision may rely on its lists: they only grow, and edits that are taken back make new lists.
 * @param {Decision} decision
 * @param {Decision} before
 * @param {number} kept
 */
function keepEdits(decision, before, kept) {
  decision.keptEdits = kept;
  if (kept === before.editCount) {
    decision.edits = before.edits;
    decision.groups = before.groups;
    return;
  }
  let groups = 0;
  for (let at = 2; at < kept * EDIT_NUMBERS; at += EDIT_NUMBERS) groups += /** @type {number} */ (before.edits[at]);
  decision.edits = before.edits.slice(0, kept * EDIT_NUMBERS);
  decision.groups = before.groups.slice(0, groups);
}

module.exports = { EDIT_NUMBERS, encode, receive };
