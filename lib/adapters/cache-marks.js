// @ts-check
'use strict';

/** Which of the places that a view names get a mark for Anthropic's cache, beside what the host has marked itself. */

const { outOfRange, wrongType } = require('../errors.js');
const { MOST_MARKS } = require('../view/marks.js');

/** @typedef {{ type: 'ephemeral', ttl?: '1h' }} Mark */
/** @typedef {{ place: number, isHour: boolean }} Placed a mark of the host's; `place`: a message; before all of them, -1 */

/**
 * @param {unknown} given `true`, or how long the prefix is to be kept
 * @returns {Mark | undefined}
 * @throws TypeError, RangeError
 */
function readCacheControl(given) {
  if (given === undefined || given === null || given === false) return undefined;
  if (given === true || given === '5m') return { type: 'ephemeral' };
  if (given === '1h') return { type: 'ephemeral', ttl: '1h' };
  if (typeof given !== 'string') throw wrongType('options.cacheControl', "true, false, '5m' or '1h'", given);
  throw outOfRange('options.cacheControl', "true, false, '5m' or '1h'", given);
}

/** What a prefix costs that is kept for as long as `mark` says. @param {Mark | undefined} mark */
function priceOf(mark) {
  return mark?.ttl === '1h' ? 'anthropic-1h' : 'anthropic';
}

/** @param {any} mark @param {number} place @returns {Placed} */
const placed = (mark, place) => ({ place, isHour: mark?.ttl === '1h' });

/**
 * The messages with marks at `places`, as many as the request has left; those nearest the end where it has too few, since a
 * request that goes on from this one reads up to there. What the host marked stays as it is.
 * @param {readonly any[]} messages as they are sent
 * @param {object} how
 * @param {readonly number[]} how.places ascending
 * @param {readonly Placed[]} how.hosts
 * @param {Mark} how.mark
 * @param {(message: any, mark: Mark) => any} how.withMark a marked copy; undefined for what takes no mark
 * @returns {any[]}
 */
function marked(messages, { places, hosts, mark, withMark }) {
  const copies = [...messages];
  let free = MOST_MARKS - hosts.length;
  for (const place of [...places].reverse()) {
    if (free <= 0) break;
    const own = markFor(place, mark, hosts);
    const copy = own && withMark(messages[place], own);
    if (copy === undefined) continue;
    copies[place] = copy;
    free--;
  }
  return copies;
}

/**
 * What to mark a message with: a prefix that is kept for an hour must not lie behind one that is kept for less.
 * @param {number} place
 * @param {Mark} mark
 * @param {readonly Placed[]} hosts
 * @returns {Mark | undefined}
 */
function markFor(place, mark, hosts) {
  if (hosts.some((other) => other.place === place)) return undefined;
  const isLaterHour = hosts.some((other) => other.place > place && other.isHour);
  const isEarlierShort = hosts.some((other) => other.place < place && !other.isHour);
  if (isLaterHour && isEarlierShort) return undefined;
  if (isEarlierShort) return { type: 'ephemeral' };
  return isLaterHour ? { type: 'ephemeral', ttl: '1h' } : mark;
}

module.exports = { marked, placed, priceOf, readCacheControl };
