// @ts-check
'use strict';

/**
 * Handles a promise's rejection, because an unhandled one would end the application's process.
 * @param {any} given the return value of the application's function @returns {boolean} true if it is a promise
 */
function ignoreRejection(given) {
  if (typeof given?.then !== 'function') return false;
  given.then(undefined, () => {});
  return true;
}

/** True for an `async` function, whose result would arrive too late. @param {unknown} given */
function isAsyncFunction(given) {
  return typeof given === 'function' && Object.prototype.toString.call(given) === '[object AsyncFunction]';
}

module.exports = { ignoreRejection, isAsyncFunction };
