// @ts-check
'use strict';

/**
 * The result of `work`, or undefined once `signal` is aborted. The work itself continues, because another call waits for it.
 * @param {Promise<unknown>} work never rejects @param {AbortSignal | undefined} signal
 */
async function orAborted(work, signal) {
  if (signal === undefined) return work;
  /** @type {() => void} */ let stop = () => {};
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

module.exports = { orAborted };
