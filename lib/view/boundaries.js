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

/** Milliseconds between two requests, where messages have no times. */
function pace() {
  paceMs ??= native.requestPaceMs();
  return paceMs;
}

/**
 * How many messages each request had, of those with more than `from`: the model's answer stands behind each. A history that was compressed
 * was never sent with fewer messages than the compression left.
 * @param {readonly any[]} messages
 * @param {number} from
 * @returns {number[]} ascending, all fewer than there are messages
 */
function endsIn(messages, from) {
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
 * The times of the messages from `from` to `end`, of the last of them and of the newest answer, each in its message's own unit.
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

/**
 * The clock of a conversation by what its messages say: their newest time, or a step for each request without any.
 * @param {number} now of the request before; NaN ahead of the first
 * @param {readonly number[]} times of the messages that are new with the next
 */
function clockAfter(now, times) {
  const newest = native.newestTime(Float64Array.from(times));
  const started = Number.isNaN(now) ? 0 : now;
  return Number.isNaN(newest) ? started + pace() : Math.max(started, newest);
}

/**
 * The requests that nothing is decided on yet, with how many messages each had and when it was sent: earlier ones, which are played again,
 * and the newest.
 * @param {readonly any[]} messages
 * @param {{ reached: number, last: number | null, now: number, isByMessages: boolean, isNew: boolean }} known `reached`: so many
 *   messages the request before had; `last`: the clock that it went by
 * @returns {Generator<{ end: number, moment: import('./schedule.js').Moment }>}
 */
function* requestsIn(messages, { reached, last, now, isByMessages, isNew }) {
  const { length } = messages;
  const ends = isByMessages || isNew ? endsIn(messages, reached) : [];
  let clock = last ?? Number.NaN;
  if (last === null && !isByMessages && clockAfter(clock, timesIn(messages, 0, length).times) === pace()) {
    // Where no message has a time, those of the last request come now.
    clock = now - (ends.length + 1) * pace();
  }
  for (const end of [...ends, length]) {
    const { times, spoken, answered } = timesIn(messages, reached, end);
    const isNewest = end === length;
    if (!isNewest || isByMessages) clock = clockAfter(clock, times);
    yield {
      end,
      moment: { now: isByMessages || !isNewest ? clock : now, spoken, answered, sent: isNewest ? now : Number.NaN },
    };
    reached = end;
  }
}

/**
 * How many of the first `shared` messages to keep where nothing but the messages tells which requests were sent. A request that was never
 * answered, or was asked again in other words, doesn't count.
 * @param {readonly any[]} messages
 * @param {number} shared
 * @param {{ reachedWith: (shared: number) => number }} schedule
 */
function toldBy(messages, shared, schedule) {
  let kept = shared;
  let reached = schedule.reachedWith(kept);
  while (reached > 0 && !isRequest(messages, reached)) {
    kept = reached - 1;
    reached = schedule.reachedWith(kept);
  }
  return kept;
}

module.exports = { requestsIn, toldBy };
