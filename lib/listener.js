// @ts-check
'use strict';

const { wrongType } = require('./errors.js');
const { ignoreRejection } = require('./unwaited.js');

/** @typedef {import('./entry/types/adapters.js').AdapterEvent} AdapterEvent */
/** The same with the view as the face has it. @typedef {Omit<AdapterEvent, 'view' | 'error'> & Record<string, unknown>} Told */

/**
 * Tells the host's listener what became of a request. One that throws is ignored: the request goes on, and it can report its
 * error itself.
 * @param {unknown} listener
 * @returns {(event: Told) => void}
 */
function listenerFrom(listener) {
  if (listener === undefined || listener === null) return () => {};
  if (typeof listener !== 'function') throw wrongType('options.onEvent', 'a function', listener);
  return (event) => {
    try {
      ignoreRejection(listener(event));
    } catch {
      // The host's own listener failed.
    }
  };
}

module.exports = { listenerFrom };
