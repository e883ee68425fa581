// @ts-check
/**
 * The requests that the chart marks, and by which signs: a new context begins, a summary is written, or the prompt
 * cache was lost (`bust`).
 *
 * @import { RequestPicture } from '../picture.js'
 * @import { Sign } from './glyphs.js'
 * @typedef {'compaction' | 'results-cleared' | 'rewind' | 'changed'} Beginning why a new context begins
 * @typedef {'idle' | 'compaction' | 'edited-prefix' | 'unknown'} Cause why the cache was lost
 * @typedef {{ request: number, begins: Beginning | null, isCompaction: boolean, bust: RequestPicture['bust'] }} PictureEvent
 * @typedef {{ sign: Sign, count: number, tokens: number, cost: number }} SignSum `tokens` and `cost`: sums over cache
 *   misses
 */
import { isLoss } from './glyphs.js';

/** @type {Cause[]} */
const CAUSES = ['idle', 'compaction', 'edited-prefix', 'unknown'];

/** @type {Beginning[]} */
const BEGINNINGS = ['compaction', 'results-cleared', 'rewind', 'changed'];

/** A later version may add causes. @param {string} cause @returns {Cause} */
function knownCause(cause) {
  return CAUSES.find((one) => one === cause) ?? 'unknown';
}

/** One event for each request that has a mark. @param {RequestPicture[]} requests @returns {PictureEvent[]} */
export function eventsOf(requests) {
  return requests.flatMap(({ begins = null, bust = null, isCompaction }, request) => {
    if (begins === null && bust === null && !isCompaction) return [];
    return [{ request, begins, isCompaction: isCompaction === true, bust }];
  });
}

/** @param {PictureEvent} event @returns {Sign[]} */
export function signsOf({ begins, isCompaction, bust }) {
  /** @type {Sign[]} */
  const signs = [];
  if (begins !== null) signs.push(`begins ${BEGINNINGS.find((one) => one === begins) ?? 'changed'}`);
  else if (isCompaction) signs.push('compacts');
  if (bust !== null) signs.push(knownCause(bust.cause));
  return signs;
}

/**
 * What the legend says of each sign.
 * @param {PictureEvent[]} events @returns {SignSum[]} in the order of their first events
 */
export function signSums(events) {
  /** @type {Map<Sign, SignSum>} */
  const sums = new Map();
  for (const event of events) {
    for (const sign of signsOf(event)) {
      const sum = sums.get(sign) ?? { sign, count: 0, tokens: 0, cost: 0 };
      sums.set(sign, sum);
      sum.count++;
      if (!isLoss(sign)) continue;
      sum.tokens += event.bust?.tokens ?? 0;
      sum.cost += event.bust?.cost ?? 0;
    }
  }
  return [...sums.values()];
}
