// @ts-check
'use strict';

/**
 * Handles a promise's rejection, because an unhandled one would end the application's process.
 * @param {any} returned what an application's function returned @returns {boolean} true if it is a promise
 */
function ignoreRejection(returned) {
  if (typeof returned?.then !== 'function') return false;
  returned.then(undefined, () => {});
  return true;
}

/** True for an `async` function, whose result would arrive too late. @param {unknown} given */
function isAsyncFunction(given) {
  return typeof given === 'function' && Object.prototype.toString.call(given) === '[object AsyncFunction]';
}

module.exports = { ignoreRejection, isAsyncFunction };
