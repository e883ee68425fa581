// @ts-check
'use strict';

/** Selects which of a view's breakpoints get Anthropic's `cache_control`, in addition to the application's own. */

const { outOfRange, wrongType } = require('../errors.js');
const { MAX_BREAKPOINTS } = require('../messages/breakpoints.js');

/** @typedef {{ type: 'ephemeral', ttl?: '1h' }} CacheControl */
/**
 * @typedef {{ place: number, isHour: boolean }} Breakpoint a breakpoint of the application; `place`: a message's index, or -1 before all messages
 */

/** @param {unknown} value `true`, or the cache lifetime @returns {CacheControl | undefined} @throws TypeError, RangeError */
function readCacheControl(value) {
  if (value === undefined || value === null || value === false) return undefined;
  if (value === true || value === '5m') return { type: 'ephemeral' };
  if (value === '1h') return { type: 'ephemeral', ttl: '1h' };
  if (typeof value !== 'string') throw wrongType('options.cacheControl', "true, false, '5m' or '1h'", value);
  throw outOfRange('options.cacheControl', "true, false, '5m' or '1h'", value);
}

/** @param {CacheControl | undefined} cacheControl */
function priceOf(cacheControl) {
  return cacheControl?.ttl === '1h' ? 'anthropic-1h' : 'anthropic';
}

/**
 * The application's breakpoints.
 * @param {readonly any[]} before `cache_control` of everything before the messages
 * @param {readonly any[]} messages @param {(message: any, place: number) => any[]} cacheControlsOn
 * @returns {Breakpoint[]}
 */
function breakpointsOf(before, messages, cacheControlsOn) {
  const among = messages.flatMap((message, place) => cacheControlsOn(message, place).map((each) => ({ each, place })));
  const all = [...before.map((each) => ({ each, place: -1 })), ...among];
  return all.map(({ each, place }) => ({ place, isHour: each?.ttl === '1h' }));
}

/**
 * Copies of the messages with breakpoints at `places`. If the request has room for fewer, the last ones are set, because the next request reads the
 * cache up to there. The application's own breakpoints stay.
 * @param {readonly any[]} messages as they are sent
 * @param {{ places: readonly number[], existing: readonly Breakpoint[], cacheControl: CacheControl, withBreakpoint: (message: any, cacheControl: CacheControl) => any }} how
 *   `places` ascend; `withBreakpoint` returns undefined for a message that can't have a breakpoint
 * @returns {any[]}
 */
function withBreakpoints(messages, { places, existing, cacheControl, withBreakpoint }) {
  const copies = [...messages];
  let free = MAX_BREAKPOINTS - existing.length;
  for (const place of [...places].reverse()) {
    if (free <= 0) break;
    const chosen = cacheControlFor(place, cacheControl, existing);
    const copy = chosen && withBreakpoint(messages[place], chosen);
    if (copy === undefined) continue;
    copies[place] = copy;
    free--;
  }
  return copies;
}

/**
 * The breakpoint for a message. Anthropic rejects a one-hour breakpoint after one with a shorter lifetime.
 * @param {number} place @param {CacheControl} cacheControl @param {readonly Breakpoint[]} existing @returns {CacheControl | undefined}
 */
function cacheControlFor(place, cacheControl, existing) {
  if (existing.some((other) => other.place === place)) return undefined;
  const isLaterHour = existing.some((other) => other.place > place && other.isHour);
  const isEarlierShort = existing.some((other) => other.place < place && !other.isHour);
  if (isLaterHour && isEarlierShort) return undefined;
  if (isEarlierShort) return { type: 'ephemeral' };
  return isLaterHour ? { type: 'ephemeral', ttl: '1h' } : cacheControl;
}

module.exports = { breakpointsOf, priceOf, readCacheControl, withBreakpoints };
