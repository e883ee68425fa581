// @ts-check
'use strict';

const { wrongType } = require('./errors.js');
const { safely } = require('./plain-data.js');

/**
 * Guards calls of the application's functions, whose errors and rejected promises must not end a request or the process.
 * @typedef {Omit<import('./entry/types/adapters.js').AdapterEvent, 'view' | 'error'> & Record<string, unknown>} OwnEvent
 */

/** True for a promise, whose rejection would end the application's process if nobody handled it. @param {any} returned by an application's function */
function ignoreRejection(returned) {
  if (typeof returned?.then !== 'function') return false;
  returned.then(undefined, () => {});
  return true;
}

/** True for an `async` function, whose result would arrive too late. @param {unknown} given */
const isAsyncFunction = (given) =>
  typeof given === 'function' && Object.prototype.toString.call(given) === '[object AsyncFunction]';

/** Wraps the option `onEvent`; the listener can report its own errors. @param {unknown} listener @returns {(event: OwnEvent) => void} */
function listenerFrom(listener) {
  if (listener === undefined || listener === null) return () => {};
  if (typeof listener !== 'function') throw wrongType('options.onEvent', 'a function', listener);
  // If the application's listener fails, the request continues.
  return (event) => void safely(() => ignoreRejection(listener(event)));
}

module.exports = { ignoreRejection, isAsyncFunction, listenerFrom };
