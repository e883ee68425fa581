// @ts-check
'use strict';

/** What a call ends with that has done what others who came meanwhile want done as well. */
const SERVED = Symbol('served');

/**
 * What `work` gives, or undefined once `signal` is aborted: who joined a call gives up by itself.
 * @param {Promise<unknown>} work never rejects
 * @param {AbortSignal | undefined} signal
 */
async function orAborted(work, signal) {
  if (signal === undefined) return work;
  /** @type {() => void} */
  let stop = () => {};
  const aborted = new Promise((resolve) => {
    stop = () => resolve(undefined);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

module.exports = { SERVED, orAborted };
