// @ts-check
'use strict';

/**
 * Of an asynchronous function of the host's where nobody waits: its rejection would end the host's process.
 * @param {any} given what it returned
 * @returns {boolean} whether that is a promise
 */
function ignoreRejection(given) {
  if (typeof given?.then !== 'function') return false;
  given.then(undefined, () => {});
  return true;
}

/** Whether it is declared as one: what it will answer comes too late where an answer is needed. @param {unknown} given */
function isAsyncFunction(given) {
  return typeof given === 'function' && Object.prototype.toString.call(given) === '[object AsyncFunction]';
}

module.exports = { ignoreRejection, isAsyncFunction };
