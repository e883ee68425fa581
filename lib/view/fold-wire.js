// @ts-check
'use strict';

const { layouts, lengthOf } = require('../layouts.js');

/**
 * Encodes a fold's requests and decodes its outcome; `src/layouts.rs` has the layouts.
 *
 * @typedef {import('./request-boundaries.js').Boundary} Boundary
 * @typedef {{ row: number, message: number, saved: number, savedByReferences: number, request: number }} Due a result that is outdated since
 *   request `request`. `saved`: tokens that its placeholder saves; `savedByReferences`: those of them that references save already
 */

const { foldedRequest: REQUEST, foldOutcome: OUTCOME } = layouts;
const REQUEST_NUMBERS = lengthOf(REQUEST);
const OUTCOME_NUMBERS = lengthOf(OUTCOME);
/** For each outdated result: row, message, tokens saved by its placeholder, and by references. */
const OUTDATED_NUMBERS = 4;
/** For each message: tokens, content blocks, tokens saved by references. */
const MESSAGE_NUMBERS = 3;
/** For each removed result: row, request. */
const REMOVED_NUMBERS = 2;

/**
 * @param {readonly Boundary[]} requests all requests
 * @param {{ first: number, isSide: boolean, due: Due[] }} what `first`: the number of the first request to encode; `isSide`: the newest request
 *   removes nothing
 * @param {(message: number) => readonly [tokens: number, blocks: number, saved: number]} weigh
 */
function encodeRequests(requests, { first, isSide, due }, weigh) {
  due.sort((one, other) => one.request - other.request || one.row - other.row);
  let start = requests[first - 1]?.end ?? 0;
  const count = requests.length - first;
  const messages = (requests.at(-1)?.end ?? 0) - start;
  const into = new Float64Array(
    1 + count * REQUEST_NUMBERS + Math.max(0, messages) * MESSAGE_NUMBERS + due.length * OUTDATED_NUMBERS,
  );
  into[0] = count;
  let [at, next] = [1, 0];
  for (let number = first; number < requests.length; number++) {
    const { end, time, lastTime, interruptedTime, isUndecided } = /** @type {Boundary} */ (requests[number]);
    let last = next;
    while (last < due.length && /** @type {Due} */ (due[last]).request <= number) last++;
    into[at + REQUEST.messages] = end - start;
    into[at + REQUEST.outdated] = last - next;
    into[at + REQUEST.time] = time;
    into[at + REQUEST.lastTime] = lastTime;
    into[at + REQUEST.interruptedTime] = interruptedTime;
    into[at + REQUEST.isSide] = isUndecided || (isSide && number === requests.length - 1) ? 1 : 0;
    at += REQUEST_NUMBERS;
    for (; start < end; start++, at += MESSAGE_NUMBERS) into.set(weigh(start), at);
    for (; next < last; next++, at += OUTDATED_NUMBERS) {
      const { row, message, saved, savedByReferences } = /** @type {Due} */ (due[next]);
      into.set([row, message, saved, savedByReferences], at);
    }
  }
  return into;
}

/** @param {number} outdated count of results that may be removed @param {number} shortened count of results with references */
function outboxFor(outdated, shortened) {
  return new Float64Array(OUTCOME_NUMBERS + REMOVED_NUMBERS * outdated + shortened);
}

/**
 * @param {Float64Array} outbox
 * @returns {{ removed: { row: number, request: number }[], whole: Set<number>, cachedTokens: number }} `request`: relative to the first encoded
 *   request; `whole`: messages that are sent without references
 */
function readOutcome(outbox) {
  const end = OUTCOME_NUMBERS + REMOVED_NUMBERS * (outbox[OUTCOME.removed] ?? 0);
  const removed = [];
  for (let at = OUTCOME_NUMBERS; at < end; at += REMOVED_NUMBERS) {
    removed.push({ row: /** @type {number} */ (outbox[at]), request: /** @type {number} */ (outbox[at + 1]) });
  }
  const whole = new Set(outbox.subarray(end, end + (outbox[OUTCOME.whole] ?? 0)));
  return { removed, whole, cachedTokens: outbox[OUTCOME.cachedTokens] ?? 0 };
}

module.exports = { encodeRequests, outboxFor, readOutcome };
