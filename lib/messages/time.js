// @ts-check
'use strict';

/** `Date.parse` alone would take `"5"` for a day in May. */
const ISO_DATE = /^\d{4}-\d{2}-\d{2}(?:$|[T ])/;

/**
 * When a message came, as a number: milliseconds, or whatever unit the host's number is in (the core tells them
 * apart). ISO strings and `Date`s are milliseconds; a string without a zone is local time, as everywhere in
 * JavaScript. NaN when the message doesn't say. Another field is read only where `timestamp` is undefined or null.
 * @param {any} message an object; what its getters throw comes out
 * @returns {number}
 */
function timeOf(message) {
  const { timestamp } = message;
  if (typeof timestamp === 'number') return timestamp;
  if (timestamp !== undefined && timestamp !== null) return parsed(timestamp);
  const time = message.createdAt ?? message.created_at ?? message.ts;
  return time === undefined ? Number.NaN : parsed(time);
}

/** @param {unknown} time @returns {number} */
function parsed(time) {
  if (typeof time === 'number') return time;
  if (typeof time === 'string') return ISO_DATE.test(time) ? Date.parse(time) : Number.NaN;
  return typeof time === 'object' && time !== null ? timeOfDate(/** @type {Date} */ (time)) : Number.NaN;
}

/** `instanceof` would not know a `Date` of another realm: a test runner's, a frame's. @param {Date} date or another object */
function timeOfDate(date) {
  try {
    return Date.prototype.getTime.call(date);
  } catch {
    return Number.NaN;
  }
}

/** {@link timeOf} of anything: NaN for what is no object, or throws. @param {unknown} message */
function timeOfAny(message) {
  try {
    return message === null || typeof message !== 'object' ? Number.NaN : timeOf(message);
  } catch {
    return Number.NaN;
  }
}

module.exports = { timeOf, timeOfAny };
