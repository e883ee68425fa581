// @ts-check
'use strict';

const { isObject, safely } = require('../plain-data.js');

/** Reads when a message was made, from the fields in which applications keep it. */

/** Checked first, because `Date.parse` reads `"5"` as a day in May. */ const ISO_DATE = /^\d{4}-\d{2}-\d{2}(?:$|[T ])/;

/**
 * The time of a message as a number: milliseconds, or the unit of the application's number (the core detects it). ISO strings and `Date`s become
 * milliseconds; a string without a zone is local time, as usual in JavaScript. NaN without a time. Other fields are read only if `timestamp` is
 * undefined or null.
 * @param {any} message an object; errors of its getters are thrown @returns {number}
 */
function timeOf(message) {
  const { timestamp } = message;
  if (typeof timestamp === 'number') return timestamp;
  if (timestamp !== undefined && timestamp !== null) return timeFrom(timestamp);
  const time = message.createdAt ?? message.created_at ?? message.ts;
  return time === undefined ? Number.NaN : timeFrom(time);
}

/** @param {unknown} time @returns {number} */
function timeFrom(time) {
  if (typeof time === 'number') return time;
  if (typeof time === 'string') return ISO_DATE.test(time) ? Date.parse(time) : Number.NaN;
  // Not `instanceof`, which fails for a `Date` of another realm, such as a test runner or a frame.
  const date = isObject(time) ? safely(() => Date.prototype.getTime.call(time)) : undefined;
  return date ?? Number.NaN;
}

/** {@link timeOf} for any value: NaN if it isn't an object or throws. @param {unknown} message */
const timeOfAny = (message) => (isObject(message) ? safely(() => timeOf(message)) : undefined) ?? Number.NaN;

module.exports = { timeOf, timeOfAny };
