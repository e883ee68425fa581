// @ts-check
'use strict';

/**
 * An unhandled rejection would end the host's process.
 * @param {any} given what the host's function returned @returns {boolean} whether it is a promise
 */
function ignoreRejection(given) {
  if (typeof given?.then !== 'function') return false;
  given.then(undefined, () => {});
  return true;
}

/** An `async` function's answer would come too late. @param {unknown} given */
function isAsyncFunction(given) {
  return typeof given === 'function' && Object.prototype.toString.call(given) === '[object AsyncFunction]';
}

module.exports = { ignoreRejection, isAsyncFunction };
