// @ts-check
'use strict';

const { isList } = require('../lists.js');
const {
  ASSISTANT,
  CALL_ARGUMENTS,
  CALL_IDS,
  KIND,
  STATUS_ERROR,
  TOOL,
  UNREADABLE,
  WATCHED,
} = require('./transcript.js');

/** @typedef {InstanceType<typeof import('./transcript.js').Transcript>} Read */

/**
 * The first message from `row` on that is not as it was read; `end` when all are. May throw where a message
 * does.
 *
 * This runs over every message before every request: it reads no more than the policy depends on.
 * @param {Read} read
 * @param {readonly any[]} messages
 * @param {number} row
 * @param {number} end
 */
function firstChanged(read, messages, row, end) {
  const { flags, ids, contents, timestamps, callEnds } = read;
  let call = read.callsBefore(row);
  for (; row < end; row++) {
    const message = messages[row];
    const role = message === null || typeof message !== 'object' ? undefined : message.role;
    const known = /** @type {number} */ (flags[row]);
    const kind = known & KIND;
    if (kind === TOOL) {
      if (role !== 'tool' || message.tool_call_id !== ids[row]) return row;
      if ((known & WATCHED) === 0) continue;
      const { content, timestamp } = message;
      if (content !== contents[row] && (contents[row] !== undefined || typeof content === 'string')) return row;
      if ((message.messageStatus === 'error') !== ((known & STATUS_ERROR) !== 0)) return row;
      if (timestamp !== timestamps[row]) {
        if (!Object.is(typeof timestamp === 'number' ? timestamp : Number.NaN, timestamps[row])) return row;
      }
    } else if (kind === ASSISTANT) {
      const callEnd = /** @type {number} */ (callEnds[row]);
      if (role !== 'assistant' || !sameCalls(read, message.tool_calls, call, callEnd)) return row;
      call = callEnd;
    } else if (kind === UNREADABLE) {
      if (read.canRead(message)) return row;
    } else if (role === 'tool' || role === 'assistant') {
      return row;
    }
  }
  return end;
}

/**
 * @param {Read} read
 * @param {any} toolCalls
 * @param {number} call
 * @param {number} end
 */
function sameCalls({ callIds, callNames, callArguments, callDepth }, toolCalls, call, end) {
  if (!isList(toolCalls)) return call === end;
  if (toolCalls.length !== end - call) return false;
  for (let index = 0; call < end; call++, index++) {
    const declared = toolCalls[index];
    if (declared?.id !== callIds[call]) return false;
    if (callDepth === CALL_IDS) continue;
    const callee = declared?.function;
    if (callee?.name !== callNames[call]) return false;
    if (callDepth === CALL_ARGUMENTS && callee?.arguments !== callArguments[call]) return false;
  }
  return true;
}

/**
 * How many messages at the start are those that were read before. Tool results whose content, timestamp or
 * status have changed are read again and added to `patched`.
 * @param {Read} read
 * @param {readonly any[]} messages
 * @param {number} trusted so many at the start are known to be as they were
 * @param {number[]} patched
 */
function commonPrefix(read, messages, trusted, patched) {
  const shared = Math.min(messages.length, read.length);
  let compare = firstChanged;
  let row = trusted;
  for (;;) {
    try {
      row = compare(read, messages, row, shared);
    } catch {
      // Some message throws. Start over, and find out which ones.
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
 * As {@link firstChanged}, where a message may throw: what could not be read before and can't be read now has
 * not changed.
 * @param {Read} read
 * @param {readonly any[]} messages
 * @param {number} row
 * @param {number} end
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

/**
 * Whether the message is still the result of the same call, whatever else it says now.
 * @param {Read} read
 * @param {number} row
 * @param {any} message
 */
function isSameResult(read, row, message) {
  return read.kindOf(row) === TOOL && message.role === 'tool' && message.tool_call_id === read.ids[row];
}

module.exports = { commonPrefix };
