// @ts-check
'use strict';

const native = require('../native.js');
const { isAnswer } = require('../messages/speaker.js');
const { dialectFor } = require('../messages/choice.js');
const { timeOfAny } = require('../messages/time.js');
const { compressionOf } = require('../compression/record.js');

/**
 * Finds in stored messages where requests were sent, and when: a view that sees a conversation for the first time decides
 * about each as a view would have that had been there.
 */

/** @type {number | undefined} */
let paceMs;

/** What passes from request to request where messages have no times. */
function pace() {
  paceMs ??= native.requestPaceMs();
  return paceMs;
}

/**
 * How many messages each request had that was sent with more than `from` of them: behind it stands the model's answer. What
 * a compression has put together was never sent with fewer messages than it had then.
 * @param {readonly any[]} messages
 * @param {number} from
 * @returns {number[]} ascending, all fewer than there are messages
 */
function requestsIn(messages, from) {
  const ends = [];
  const first = Math.max(from + 1, compressedLength(messages));
  let wasAnswer = first > 0 && isAnswer(messages[first - 1]);
  for (let index = first; index < messages.length; index++) {
    const is = isAnswer(messages[index]);
    if (is && !wasAnswer) ends.push(index);
    wasAnswer = is;
  }
  return ends;
}

/** Whether the messages tell that the first `end` of them were a request: some have asked so, and were never answered. @param {readonly any[]} messages @param {number} end */
function isRequest(messages, end) {
  return end === 0 || end === messages.length || (isAnswer(messages[end]) && !isAnswer(messages[end - 1]));
}

/** How many messages there were after the newest compression; 0 where there was none. @param {readonly any[]} messages */
function compressedLength(messages) {
  // A summary stands behind the system prompt, and in front of all else.
  for (let index = 0; index < Math.min(messages.length, 8); index++) {
    const length = compressionOf(messages[index])?.afterCount;
    if (typeof length === 'number') return Math.min(length, messages.length);
  }
  return 0;
}

/** @param {any} message @returns {number} in its own unit; NaN where it has none */
function stampOf(message) {
  let time = timeOfAny(message);
  if (!Number.isFinite(time) && message !== null && typeof message === 'object') {
    time = dialectFor(message)?.timeOf?.(message) ?? Number.NaN;
  }
  return Number.isFinite(time) ? time : Number.NaN;
}

/**
 * When the messages from `from` to `end` came, each in its own unit, and of them the last, and the newest answer.
 * @param {readonly any[]} messages
 * @param {number} from
 * @param {number} end
 */
function timesIn(messages, from, end) {
  const times = [];
  let [spoken, answered] = [Number.NaN, Number.NaN];
  for (let index = from; index < end; index++) {
    spoken = stampOf(messages[index]);
    times.push(spoken);
    if (isAnswer(messages[index])) answered = spoken;
  }
  return { times, spoken, answered };
}

/** The clock of a conversation by what its messages say: their newest time, or a step for each request without any. */
class Clock {
  /** @param {number} now of the request before; NaN ahead of the first */
  constructor(now) {
    this.now = now;
  }

  /**
   * The request that was sent with messages of these times more than the one before.
   * @param {readonly number[]} times
   */
  next(times) {
    const newest = native.newestTime(Float64Array.from(times));
    const started = Number.isNaN(this.now) ? 0 : this.now;
    this.now = Number.isNaN(newest) ? started + pace() : Math.max(started, newest);
    return this.now;
  }
}

module.exports = { Clock, isRequest, pace, requestsIn, timesIn };
