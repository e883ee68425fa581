// @ts-check
'use strict';

/**
 * Names what came without showing it: arguments may hold what must not reach a log.
 * @param {unknown} value
 */
function describe(value) {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object') return 'an object';
  return `a ${typeof value}`;
}

/**
 * @param {string} name the argument
 * @param {string} expected
 * @param {unknown} came
 */
function wrongType(name, expected, came) {
  const error = new TypeError(`${name}: expected ${expected}, got ${describe(came)}`);
  return Object.assign(error, { code: 'ERR_INVALID_ARG_TYPE' });
}

/**
 * @param {string} name the argument
 * @param {string} expected
 * @param {string} came
 */
function outOfRange(name, expected, came) {
  const error = new RangeError(`${name}: expected ${expected}, got ${came}`);
  return Object.assign(error, { code: 'ERR_OUT_OF_RANGE' });
}

/** @param {unknown} cause what the array, or who observes it, has thrown */
function notTakingIt(cause) {
  const error = new TypeError(
    'messages: expected an array that can be changed, got one that refuses a change; it is as it was',
    {
      cause,
    },
  );
  return Object.assign(error, { code: 'ERR_INVALID_ARG_TYPE' });
}

module.exports = { describe, notTakingIt, outOfRange, wrongType };
