// @ts-check
'use strict';

/** After this time the agent sends its request without us. */
const TIMEOUT_MS = 50;

/**
 * The result of `work`, or an error if it is still waiting for something when the time is up. A long synchronous computation doesn't time out.
 * @template T @param {Promise<T>} work @returns {Promise<T>}
 */
async function withTimeout(work) {
  /** @type {NodeJS.Timeout | undefined} */ let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${TIMEOUT_MS} ms`)), TIMEOUT_MS);
  });
  try {
    return await Promise.race([work, /** @type {Promise<never>} */ (late)]);
  } finally {
    clearTimeout(timer);
  }
}

/** @param {unknown} error */
const reasonOf = (error) => (error instanceof Error ? error.message : String(error));

module.exports = { withTimeout, reasonOf };
