// @ts-check
'use strict';

/**
 * Ignores the rejection of a promise that the host's function returned and nobody awaits: an unhandled rejection would
 * end the host's process.
 * @param {any} given what it returned
 * @returns {boolean} whether that is a promise
 */
function ignoreRejection(given) {
  if (typeof given?.then !== 'function') return false;
  given.then(undefined, () => {});
  return true;
}

/** Whether a function is declared `async`: its answer would come too late. @param {unknown} given */
function isAsyncFunction(given) {
  return typeof given === 'function' && Object.prototype.toString.call(given) === '[object AsyncFunction]';
}

module.exports = { ignoreRejection, isAsyncFunction };
