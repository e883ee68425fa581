// @ts-check
'use strict';

/** Selects which of a view's breakpoints get Anthropic's `cache_control`, in addition to the application's own. */

const { outOfRange, wrongType } = require('../errors.js');
const { MOST_MARKS } = require('../messages/breakpoints.js');

/** @typedef {{ type: 'ephemeral', ttl?: '1h' }} Mark */
/**
 * @typedef {{ place: number, isHour: boolean }} Placed a breakpoint of the application; `place`: a message's index, or -1 before all messages
 */

/** @param {unknown} given `true`, or the cache lifetime @returns {Mark | undefined} @throws TypeError, RangeError */
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
 * Copies of the messages with breakpoints at `places`. If the request has room for fewer, the last ones are set, because the next request reads the
 * cache up to there. The application's own breakpoints stay.
 * @param {readonly any[]} messages as they are sent
 * @param {{ places: readonly number[], hosts: readonly Placed[], mark: Mark, withMark: (message: any, mark: Mark) => any }} how `places` ascend;
 *   `withMark` returns undefined for a message that can't have a breakpoint
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
 * The breakpoint for a message. Anthropic rejects a one-hour breakpoint after one with a shorter lifetime.
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
