// @ts-check
'use strict';

const { argumentsOf, callIdOf, calleeOf, callsOf, isMarkedFailed, nameOf, resultIdOf } = require('../messages/chat.js');
const { timeOf, timeOfAny } = require('../messages/time.js');
const {
  ASSISTANT,
  CALL_ARGUMENTS,
  CALL_IDS,
  KIND,
  STATUS_ERROR,
  TOOL,
  UNREADABLE,
  WATCHED,
} = require('./row-flags.js');

/** @typedef {InstanceType<typeof import('./transcript.js').Transcript>} Read */

/**
 * The first message from `row` on that is not as it was read, or that has another form; `end` when all are. May throw where a message
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
      if (role !== 'tool' || resultIdOf(message) !== ids[row]) return row;
      if ((known & WATCHED) === 0) continue;
      const { content, timestamp } = message;
      if (content !== contents[row] && (contents[row] !== undefined || typeof content === 'string')) return row;
      if (isMarkedFailed(message) !== ((known & STATUS_ERROR) !== 0)) return row;
      if (timestamp !== timestamps[row] && !isSameTime(read, row, message, timestamp)) return row;
    } else if (kind === ASSISTANT) {
      const callEnd = /** @type {number} */ (callEnds[row]);
      if (role !== 'assistant' || !sameCalls(read, callsOf(message), call, callEnd)) return row;
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
 * Whether the message still says the time that was read, if not as a number.
 * @param {Read} read
 * @param {number} row
 * @param {any} message
 * @param {unknown} timestamp its own
 */
function isSameTime({ timeTexts, timestamps }, row, message, timestamp) {
  if (typeof timestamp === 'string' && timestamp === timeTexts[row]) return true;
  if (!Object.is(timeOf(message), timestamps[row])) return false;
  if (typeof timestamp === 'string') timeTexts[row] = timestamp;
  return true;
}

/**
 * @param {Read} read
 * @param {readonly any[] | undefined} calls
 * @param {number} call
 * @param {number} end
 */
function sameCalls({ callIds, callNames, callArguments, callDepth }, calls, call, end) {
  if (calls === undefined) return call === end;
  if (calls.length !== end - call) return false;
  for (let index = 0; call < end; call++, index++) {
    const declared = calls[index];
    if (callIdOf(declared) !== callIds[call]) return false;
    if (callDepth === CALL_IDS) continue;
    const callee = calleeOf(declared);
    if (nameOf(callee) !== callNames[call]) return false;
    if (callDepth === CALL_ARGUMENTS && argumentsOf(callee) !== callArguments[call]) return false;
  }
  return true;
}

/**
 * Where all times matter: the first message from `row` on that has a time when none had, or lost the only time that
 * is known of; `end` when there is none. Watched results are compared, time and all, by {@link firstChanged}.
 * @param {Read} read
 * @param {readonly unknown[]} messages
 * @param {number} row
 * @param {number} end
 */
function firstTimeChange(read, messages, row, end) {
  const { asksAllTimes, firstTimed, flags } = read;
  if (!asksAllTimes) return end;
  const isCompared = (/** @type {number} */ at) => ((flags[at] ?? 0) & WATCHED) !== 0;
  if (firstTimed >= 0) {
    const isSame = firstTimed < row || firstTimed >= end || isCompared(firstTimed);
    return isSame || Number.isFinite(timeOfAny(messages[firstTimed])) ? end : firstTimed;
  }
  while (row < end && (isCompared(row) || !Number.isFinite(timeOfAny(messages[row])))) row++;
  return row;
}

/**
 * How many messages at the start are those that were read before. Tool results whose content, timestamp or
 * status have changed are read again and added to `patched`.
 * @param {Read} read
 * @param {readonly any[]} messages
 * @param {number} trusted so many at the start are known to be as they were
 * @param {number} end from here on they have another form
 * @param {number[]} patched
 */
function commonPrefix(read, messages, trusted, end, patched) {
  const alike = Math.min(messages.length, read.length, end);
  const shared = firstTimeChange(read, messages, trusted, alike);
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
  return read.kindOf(row) === TOOL && message.role === 'tool' && resultIdOf(message) === read.ids[row];
}

module.exports = { commonPrefix };
