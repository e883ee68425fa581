// @ts-check
'use strict';

const { outOfRange, wrongType } = require('../errors.js');
const { MAX_BREAKPOINTS } = require('../messages/breakpoints.js');

/**
 * Selects which of a view's breakpoints get Anthropic's `cache_control`, in addition to the application's own (`Breakpoint`; `index`: its message's,
 * or -1 before all messages). `withBreakpoint`: a copy with one, undefined for a message that can't have any.
 * @typedef {{ type: 'ephemeral', ttl?: '1h' }} CacheControl
 * @typedef {{ index: number, isHour: boolean }} Breakpoint
 * @typedef {(message: any, cacheControl: CacheControl) => any} WithBreakpoint
 * @typedef {{ cacheControlsIn: (message: any) => any[], withBreakpoint: WithBreakpoint }} Form how the messages of an SDK hold breakpoints
 */

/** Reads the option `cacheControl`. @param {unknown} value `true`, or the cache lifetime @returns {CacheControl | undefined} @throws TypeError, RangeError */
function readCacheControl(value) {
  if (value === undefined || value === null || value === false) return undefined;
  if (value === true || value === '5m') return { type: 'ephemeral' };
  if (value === '1h') return { type: 'ephemeral', ttl: '1h' };
  const refuse = typeof value === 'string' ? outOfRange : wrongType;
  throw refuse('options.cacheControl', "true, false, '5m' or '1h'", /** @type {any} */ (value));
}

/** The price preset for this cache lifetime. @param {CacheControl | undefined} cacheControl */
const priceOf = (cacheControl) => (cacheControl?.ttl === '1h' ? 'anthropic-1h' : 'anthropic');

/**
 * The application's breakpoints. @param {readonly any[]} before `cache_control` of everything before the messages
 * @param {readonly any[]} messages @param {(message: any, index: number) => any[]} cacheControlsIn @returns {Breakpoint[]}
 */
function breakpointsOf(before, messages, cacheControlsIn) {
  /** @param {readonly any[]} cacheControls @param {number} index */
  const breakpointsAt = (cacheControls, index) => cacheControls.map((each) => ({ index, isHour: each?.ttl === '1h' }));
  const inMessages = messages.flatMap((message, index) => breakpointsAt(cacheControlsIn(message, index), index));
  return [...breakpointsAt(before, -1), ...inMessages];
}

/**
 * Copies of the messages with breakpoints. If the request has room for fewer, the last ones are set, because the next
 * request reads the cache up to there. The application's own breakpoints stay. @param {readonly any[]} messages as they are sent
 * @param {{ indices: readonly number[], existing: readonly Breakpoint[], cacheControl: CacheControl, withBreakpoint: WithBreakpoint }} wanted
 */
function withBreakpoints(messages, { indices, existing, cacheControl, withBreakpoint }) {
  const copies = [...messages];
  let freeCount = MAX_BREAKPOINTS - existing.length;
  for (const index of [...indices].reverse()) {
    if (freeCount <= 0) break;
    const chosen = cacheControlFor(index, cacheControl, existing);
    const copy = chosen && withBreakpoint(messages[index], chosen);
    if (copy === undefined) continue;
    copies[index] = copy;
    freeCount--;
  }
  return copies;
}

/**
 * The breakpoint for a message; undefined if it has one, or none is valid: Anthropic rejects a one-hour breakpoint after a shorter one.
 * @param {number} index @param {CacheControl} cacheControl @param {readonly Breakpoint[]} existing @returns {CacheControl | undefined}
 */
function cacheControlFor(index, cacheControl, existing) {
  if (existing.some((other) => other.index === index)) return undefined;
  const isBeforeHour = existing.some((other) => other.index > index && other.isHour);
  const isAfterShorter = existing.some((other) => other.index < index && !other.isHour);
  if (isAfterShorter) return isBeforeHour ? undefined : { type: 'ephemeral' };
  return isBeforeHour ? { type: 'ephemeral', ttl: '1h' } : cacheControl;
}

module.exports = { breakpointsOf, priceOf, readCacheControl, withBreakpoints };
