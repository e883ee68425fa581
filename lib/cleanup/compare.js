// @ts-check
'use strict';

const { isList } = require('../lists.js');
const { isObject } = require('../plain-data.js');
const { argumentsOf, callIdOf, calleeOf, inputOf, nameOf, resultIdOf, timeOf } = require('../messages/chat.js');
const { isMarkedFailed } = require('../messages/tool-result.js');
const { Row } = require('../messages/row.js');
const { Stamp } = require('../messages/stamp.js');
const { ASIDE, ASSISTANT, CALL_IDS, KIND, NOT_READ, SHARES_ID } = require('./row-flags.js');
const { STATUS_ERROR, TOOL, UNREADABLE, WATCHED } = require('./row-flags.js');
const { contentOf, isAside } = require('./transcript.js');

/** @typedef {InstanceType<typeof import('./transcript.js').Transcript>} Transcript */

/**
 * The first row that differs from what was read, or `end`. Throws what a message's getter throws.
 *
 * Runs over every message before every request. Field reads are inlined: a function that reads messages of all shapes takes three times as
 * long for each field as one that reads a single shape.
 * @param {Transcript} transcript @param {readonly any[]} messages @param {number} row @param {number} end
 */
function firstChanged(transcript, messages, row, end) {
  const { flags, ids } = transcript;
  const { ends } = transcript.calls;
  let call = transcript.calls.before(row);
  for (; row < end; row++) {
    const message = messages[row];
    const rowFlags = /** @type {number} */ (flags[row]);
    const kind = rowFlags & KIND;
    if (!isObject(message)) {
      if (kind === 0 || (kind === UNREADABLE && !transcript.canRead(message))) continue;
      return row;
    }
    if (kind === TOOL) {
      if (message.role !== 'tool') return row;
      if ((message.tool_call_id ?? resultIdOf(message)) !== ids[row]) return row;
      // The content counts only if a rule depends on it, or if it tells results with the same id apart.
      if ((rowFlags & WATCHED) !== 0) {
        if (!isSameContent(transcript, message, row, rowFlags)) return row;
      } else if ((rowFlags & SHARES_ID) !== 0 && contentOf(message) !== transcript.contents[row]) return row;
    } else if (kind === ASSISTANT) {
      if (message.role !== 'assistant') return row;
      const callEnd = /** @type {number} */ (ends[row]);
      const calls = message.tool_calls ?? message.toolCalls;
      if (call === callEnd) {
        if (calls !== undefined && calls !== null && isList(calls) && calls.length > 0) return row;
      } else if (!isList(calls) || !sameCalls(transcript.calls, calls, call, callEnd, message)) return row;
      call = callEnd;
    } else if (kind === UNREADABLE) {
      if (transcript.canRead(message)) return row;
    } else {
      const { role } = message;
      if (role === 'tool' || role === 'assistant') return row;
      if (isAside(message, role) !== ((rowFlags & ASIDE) !== 0)) return row;
    }
  }
  return end;
}

/** @param {Transcript} transcript @param {any} message @param {number} row @param {number} rowFlags */
function isSameContent(transcript, message, row, rowFlags) {
  const { content, timestamp } = message;
  // Undefined if the content isn't a string; such results are never replaced.
  const before = transcript.contents[row];
  if (content !== before && (before !== undefined || typeof content === 'string')) return false;
  if (isMarkedFailed(message) !== ((rowFlags & STATUS_ERROR) !== 0)) return false;
  return timestamp === transcript.timestamps[row] || isSameTime(transcript, row, message, timestamp);
}

/** True if the message has the same time, even as another text. @param {Transcript} transcript @param {number} row @param {any} message @param {unknown} timestamp */
function isSameTime({ timeTexts, timestamps }, row, message, timestamp) {
  if (typeof timestamp === 'string' && timestamp === timeTexts[row]) return true;
  if (!Object.is(timeOf(message), timestamps[row])) return false;
  if (typeof timestamp === 'string') timeTexts[row] = timestamp;
  return true;
}

/** @param {Transcript['calls']} read @param {readonly any[]} calls @param {number} call @param {number} end @param {any} message */
function sameCalls(read, calls, call, end, message) {
  const { ids, names, depth } = read;
  if (calls.length !== end - call) return false;
  for (let index = 0; call < end; call++, index++) {
    const declared = calls[index];
    if (declared === null || typeof declared !== 'object') {
      if (ids[call] !== undefined || names[call] !== undefined) return false;
      continue;
    }
    const { id, call_id } = declared;
    const hasOnlyId = id !== undefined && id !== null && call_id === undefined;
    if ((hasOnlyId ? id : callIdOf(declared)) !== ids[call]) return false;
    if (depth === CALL_IDS) continue;
    const callee = calleeOf(declared);
    if (nameOf(callee) !== names[call]) return false;
    const before = read.arguments[call];
    if (before === NOT_READ) continue;
    // A message of another dialect is read as a `Row`, a new one at each reading, which parses arguments only on request.
    if (message instanceof Row) {
      if (message.argumentsOf(index) !== before) return false;
    } else if (!sameArguments(read, call, callee, before)) return false;
  }
  return true;
}

/** Some applications store arguments as objects. @param {Transcript['calls']} read @param {number} call @param {any} callee @param {unknown} before */
function sameArguments({ stamps }, call, callee, before) {
  const input = inputOf(callee);
  if (typeof input === 'string') return input === before;
  if (stamps[call]?.isUnchanged(input) === true) return true;
  if (argumentsOf(callee) !== before) return false;
  stamps[call] = Stamp.of(input);
  return true;
}

/**
 * Count of rows at the start that are unchanged, at least `trusted`. Results whose content, time or status changed are read again and added to `patched`.
 * `end`: the first row that is represented in another way than before (a chat message, or a `Row`).
 * @param {Transcript} transcript @param {readonly any[]} messages @param {number} trusted @param {number} end @param {Set<number>} patched
 */
function commonPrefix(transcript, messages, trusted, end, patched) {
  const shared = Math.min(messages.length, transcript.length, end);
  /** Rows compared at once; 1 after a message threw, to find out which one. */ let stride = shared;
  let row = trusted;
  while (row < shared) {
    const strideEnd = Math.min(row + stride, shared);
    try {
      row = firstChanged(transcript, messages, row, strideEnd);
      if (row === strideEnd) continue;
    } catch {
      if (stride > 1) {
        stride = 1;
        continue;
      }
    }
    try {
      const message = messages[row];
      const isResult = transcript.kindOf(row) === TOOL && message.role === 'tool';
      if (!isResult || resultIdOf(message) !== transcript.ids[row]) return row;
      if (transcript.reread(row, message)) patched.add(row);
    } catch {
      return row;
    }
    row++;
  }
  return shared;
}

module.exports = { commonPrefix };
