// @ts-check
'use strict';

/** Which of the places that a view names get a mark for Anthropic's cache, beside what the host has marked itself. */

const { outOfRange, wrongType } = require('../errors.js');
const { MOST_MARKS } = require('../messages/breakpoints.js');

/** @typedef {{ type: 'ephemeral', ttl?: '1h' }} Mark */
/** @typedef {{ place: number, isHour: boolean }} Placed a mark of the host's; `place`: a message; before all of them, -1 */

/** @param {unknown} given `true`, or how long the prefix is to be kept @returns {Mark | undefined} @throws TypeError, RangeError */
function readCacheControl(given) {
  if (given === undefined || given === null || given === false) return undefined;
  if (given === true || given === '5m') return { type: 'ephemeral' };
  if (given === '1h') return { type: 'ephemeral', ttl: '1h' };
  if (typeof given !== 'string') throw wrongType('options.cacheControl', "true, false, '5m' or '1h'", given);
  throw outOfRange('options.cacheControl', "true, false, '5m' or '1h'", given);
}

/** @param {Mark | undefined} mark */
function priceOf(mark) {
  return mark?.ttl === '1h' ? 'anthropic-1h' : 'anthropic';
}

/** @param {any} mark @param {number} place @returns {Placed} */
const placed = (mark, place) => ({ place, isHour: mark?.ttl === '1h' });

/**
 * Copies with marks at `places`. Where the request has room for fewer, those nearest the end are set, since a request that goes on
 * from this one reads up to there. The host's own marks stay.
 * @param {readonly any[]} messages as they are sent
 * @param {{ places: readonly number[], hosts: readonly Placed[], mark: Mark, withMark: (message: any, mark: Mark) => any }} how
 *   `places` ascend; `withMark` gives undefined for what takes no mark
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
 * Anthropic refuses a prefix that is kept for an hour behind one that is kept for less.
 * @param {number} place @param {Mark} mark @param {readonly Placed[]} hosts @returns {Mark | undefined}
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
