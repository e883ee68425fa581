// @ts-check
'use strict';

const { layouts, lengthOf } = require('../layouts.js');
const { applicationBreakpoints, leadingSystem } = require('../messages/breakpoints.js');

/**
 * Encodes the requests that the core folds (decides one after another) as an array of numbers, and decodes which results they remove.
 * `src/layouts.rs` describes both arrays.
 * @typedef {import('./request-boundaries.js').Boundary} Boundary
 *
 * A result that may be removed since `request`. `saved`: tokens that its placeholder saves; `savedByReferences`: those that references save already.
 * @typedef {{ row: number, message: number, saved: number, savedByReferences: number, request: number }} Outdated
 */

const { foldedRequest: REQUEST, foldOutcome: OUTCOME } = layouts;
const REQUEST_NUMBERS = lengthOf(REQUEST);
const OUTCOME_NUMBERS = lengthOf(OUTCOME);
/** For each outdated result: row, message, tokens saved by placeholder and by references. */ const OUTDATED_NUMBERS = 4;
/** For each message: tokens, content blocks, tokens saved by references. */ const MESSAGE_NUMBERS = 3;
/** For each removed result: row, request. */ const REMOVED_NUMBERS = 2;

/**
 * The inputs of the fold in addition to its requests. If one differs from the newest request's, all requests are folded again.
 * @param {readonly any[]} messages @param {import('./projection.js').FixedPrefix} [fixedPrefix] @param {boolean} [isSide] @param {number} [undecidedCount]
 */
function conditionsOf(messages, fixedPrefix, isSide = false, undecidedCount = 0) {
  return {
    fixedTokens: fixedPrefix?.tokens ?? 0,
    system: leadingSystem(messages),
    marksBefore: fixedPrefix?.breakpointCount ?? 0,
    marks: applicationBreakpoints(messages).length,
    isSide,
    undecidedCount,
  };
}

/**
 * Encodes the requests from number `first` on. `isSide`: the newest is a side request; `outdated`: newly outdated since `first`.
 * @param {readonly Boundary[]} requests all @param {{ first: number, isSide: boolean, outdated: readonly Outdated[] }} what
 * @param {(message: number) => readonly [tokens: number, blocks: number, savedByReferences: number]} weigh
 */
function encodeRequests(requests, { first, isSide, outdated }, weigh) {
  const sorted = [...outdated].sort((one, other) => one.request - other.request || one.row - other.row);
  let nextMessage = requests[first - 1]?.end ?? 0;
  let nextOutdated = 0;
  const requestCount = requests.length - first;
  const messageCount = Math.max(0, (requests.at(-1)?.end ?? 0) - nextMessage);
  const listLength = messageCount * MESSAGE_NUMBERS + sorted.length * OUTDATED_NUMBERS;
  const numbers = new Float64Array(1 + requestCount * REQUEST_NUMBERS + listLength);
  numbers[0] = requestCount;
  let offset = 1;
  for (let requestNumber = first; requestNumber < requests.length; requestNumber++) {
    const { end, time, lastTime, interruptedTime, isUndecided } = /** @type {Boundary} */ (requests[requestNumber]);
    let outdatedEnd = nextOutdated;
    while ((sorted[outdatedEnd]?.request ?? Number.POSITIVE_INFINITY) <= requestNumber) outdatedEnd++;
    numbers[offset + REQUEST.messages] = end - nextMessage;
    numbers[offset + REQUEST.outdated] = outdatedEnd - nextOutdated;
    numbers[offset + REQUEST.time] = time;
    numbers[offset + REQUEST.lastTime] = lastTime;
    numbers[offset + REQUEST.interruptedTime] = interruptedTime;
    numbers[offset + REQUEST.isSide] = isUndecided || (isSide && requestNumber === requests.length - 1) ? 1 : 0;
    offset += REQUEST_NUMBERS;
    for (; nextMessage < end; nextMessage++, offset += MESSAGE_NUMBERS) numbers.set(weigh(nextMessage), offset);
    for (; nextOutdated < outdatedEnd; nextOutdated++, offset += OUTDATED_NUMBERS) {
      const { row, message, saved, savedByReferences } = /** @type {Outdated} */ (sorted[nextOutdated]);
      numbers.set([row, message, saved, savedByReferences], offset);
    }
  }
  return numbers;
}

/** An array for the outcome of a fold. @param {number} outdatedCount @param {number} shortenedCount count of results with references */
function outboxFor(outdatedCount, shortenedCount) {
  return new Float64Array(OUTCOME_NUMBERS + REMOVED_NUMBERS * outdatedCount + shortenedCount);
}

/** `encodedRequest`: from 0; `withoutReferences`: messages whose results are sent without references after all. @param {Float64Array} outbox */
function readOutcome(outbox) {
  const removedEnd = OUTCOME_NUMBERS + REMOVED_NUMBERS * (outbox[OUTCOME.removed] ?? 0);
  const removed = [];
  for (let offset = OUTCOME_NUMBERS; offset < removedEnd; offset += REMOVED_NUMBERS) {
    removed.push({ row: outbox[offset] ?? 0, encodedRequest: outbox[offset + 1] ?? 0 });
  }
  const withoutReferences = new Set(outbox.subarray(removedEnd, removedEnd + (outbox[OUTCOME.whole] ?? 0)));
  return { removed, withoutReferences, cachedTokens: outbox[OUTCOME.cachedTokens] ?? 0 };
}

module.exports = { conditionsOf, encodeRequests, outboxFor, readOutcome };
