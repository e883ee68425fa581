// @ts-check
'use strict';

const { wrongType } = require('./errors.js');
const { ignoreRejection } = require('./unwaited.js');

/** @typedef {import('./entry/types/adapters.js').AdapterEvent} AdapterEvent */
/**
 * An event whose `view` and `error` are not typed as in the public declarations.
 * @typedef {Omit<AdapterEvent, 'view' | 'error'> & Record<string, unknown>} OwnEvent
 */

/**
 * Wraps the application's listener for request events. Its errors are ignored: the request continues, and the listener can report its own errors.
 * @param {unknown} listener
 * @returns {(event: OwnEvent) => void}
 */
function listenerFrom(listener) {
  if (listener === undefined || listener === null) return () => {};
  if (typeof listener !== 'function') throw wrongType('options.onEvent', 'a function', listener);
  return (event) => {
    try {
      ignoreRejection(listener(event));
    } catch {
      // The application's listener failed.
    }
  };
}

module.exports = { listenerFrom };
