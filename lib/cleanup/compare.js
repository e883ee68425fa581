// @ts-check
'use strict';

const { isList } = require('../lists.js');
const { argumentsOf, callIdOf, calleeOf, nameOf, resultIdOf } = require('../messages/chat.js');
const { isMarkedFailed } = require('../messages/failure-marks.js');
const { Row } = require('../messages/row.js');
const { Stamp } = require('../messages/stamp.js');
const { timeOf } = require('../messages/time.js');
const { ASIDE, ASSISTANT, CALL_IDS, KIND, NOT_READ, SHARES_ID } = require('./row-flags.js');
const { STATUS_ERROR, TOOL, UNREADABLE, WATCHED } = require('./row-flags.js');
const { contentOf, isAside } = require('./transcript.js');

/** @typedef {InstanceType<typeof import('./transcript.js').Transcript>} Read */

/**
 * The first row that differs from what was read, or `end`. Throws what a message's getter throws.
 *
 * Runs over every message before every request. Field reads are inlined: a function that reads messages of all shapes takes three times as
 * long for each field as one that reads a single shape.
 * @param {Read} read @param {readonly any[]} messages @param {number} row @param {number} end
 */
function firstChanged(read, messages, row, end) {
  const { flags, ids } = read;
  const { ends } = read.calls;
  let call = read.calls.before(row);
  for (; row < end; row++) {
    const message = messages[row];
    const known = /** @type {number} */ (flags[row]);
    const kind = known & KIND;
    if (typeof message !== 'object' || message === null) {
      if (kind === 0 || (kind === UNREADABLE && !read.canRead(message))) continue;
      return row;
    }
    if (kind === TOOL) {
      if (message.role !== 'tool') return row;
      const id = message.tool_call_id;
      if ((id === undefined || id === null ? resultIdOf(message) : id) !== ids[row]) return row;
      if ((known & WATCHED) !== 0) {
        if (!isSameContent(read, message, row, known)) return row;
      } else if ((known & SHARES_ID) !== 0 && contentOf(message) !== read.contents[row]) return row;
    } else if (kind === ASSISTANT) {
      if (message.role !== 'assistant') return row;
      const callEnd = /** @type {number} */ (ends[row]);
      const { tool_calls } = message;
      const calls = tool_calls === undefined || tool_calls === null ? message.toolCalls : tool_calls;
      if (call === callEnd) {
        if (calls !== undefined && calls !== null && isList(calls) && calls.length > 0) return row;
      } else {
        if (!isList(calls) || !sameCalls(read.calls, calls, call, callEnd, message)) return row;
        call = callEnd;
      }
    } else if (kind === UNREADABLE) {
      if (read.canRead(message)) return row;
    } else {
      const { role } = message;
      if (role === 'tool' || role === 'assistant') return row;
      if (isAside(message, role) !== ((known & ASIDE) !== 0)) return row;
    }
  }
  return end;
}

/** @param {Read} read @param {any} message @param {number} row @param {number} known the row's flags */
function isSameContent(read, message, row, known) {
  const { content, timestamp } = message;
  const before = read.contents[row];
  if (content !== before && (before !== undefined || typeof content === 'string')) return false;
  if (isMarkedFailed(message) !== ((known & STATUS_ERROR) !== 0)) return false;
  return timestamp === read.timestamps[row] || isSameTime(read, row, message, timestamp);
}

/**
 * True if the message has the same time as before, even if written as another text.
 * @param {Read} read @param {number} row @param {any} message @param {unknown} timestamp its own
 */
function isSameTime({ timeTexts, timestamps }, row, message, timestamp) {
  if (typeof timestamp === 'string' && timestamp === timeTexts[row]) return true;
  if (!Object.is(timeOf(message), timestamps[row])) return false;
  if (typeof timestamp === 'string') timeTexts[row] = timestamp;
  return true;
}

/** @param {Read['calls']} read @param {readonly any[]} calls @param {number} call @param {number} end @param {any} message */
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
    if ((id === undefined || id === null || call_id !== undefined ? callIdOf(declared) : id) !== ids[call])
      return false;
    if (depth === CALL_IDS) continue;
    const callee = calleeOf(declared);
    if (nameOf(callee) !== names[call]) return false;
    const known = read.arguments[call];
    if (known === NOT_READ) continue;
    // A message that was read again has a new row, whose arguments are read only on request.
    if (message instanceof Row ? message.argumentsOf(index) !== known : !sameArguments(read, call, callee, known))
      return false;
  }
  return true;
}

/** Some applications store arguments as objects. @param {Read['calls']} read @param {number} call @param {any} callee @param {unknown} known */
function sameArguments({ stamps }, call, callee, known) {
  const input = callee?.arguments ?? callee?.args ?? callee?.input;
  if (typeof input === 'string') return input === known;
  if (stamps[call]?.isUnchanged(input) === true) return true;
  if (argumentsOf(callee) !== known) return false;
  stamps[call] = Stamp.of(input);
  return true;
}

/**
 * Count of rows at the start that are unchanged. Results whose content, time or status changed are read again and added to `patched`.
 * @param {Read} read
 * @param {readonly any[]} messages
 * @param {number} trusted count of rows at the start that are known to be unchanged
 * @param {number} end rows from here on have another form
 * @param {number[]} patched
 */
function commonPrefix(read, messages, trusted, end, patched) {
  const shared = Math.min(messages.length, read.length, end);
  let compare = firstChanged;
  let row = trusted;
  for (;;) {
    try {
      row = compare(read, messages, row, shared);
    } catch {
      // A message throws: the slower comparison finds out which one.
      compare = firstChangedCarefully;
      continue;
    }
    if (row === shared) return shared;
    try {
      if (!isSameResult(read, row, messages[row])) return row;
      if (read.reread(row, messages[row])) patched.push(row);
    } catch {
      return row;
    }
    row++;
  }
}

/**
 * Like {@link firstChanged} for messages that may throw. A message that is still unreadable counts as unchanged.
 * @param {Read} read @param {readonly any[]} messages @param {number} row @param {number} end
 */
function firstChangedCarefully(read, messages, row, end) {
  for (; row < end; row++) {
    try {
      if (firstChanged(read, messages, row, row + 1) === row) return row;
    } catch {
      return row;
    }
  }
  return end;
}

/** True if the message is still a result of the same call. @param {Read} read @param {number} row @param {any} message */
function isSameResult(read, row, message) {
  return read.kindOf(row) === TOOL && message.role === 'tool' && resultIdOf(message) === read.ids[row];
}

module.exports = { commonPrefix };
