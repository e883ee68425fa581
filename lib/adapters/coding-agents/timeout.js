// @ts-check
'use strict';

/** After this time the agent sends its request without waiting for the view. */
const TIMEOUT_MS = 50;

/**
 * The result of `work`, or an error if it is still waiting for something when the time is up. A long synchronous computation doesn't time out.
 * @template T @param {Promise<T>} work @returns {Promise<T>}
 */
async function withTimeout(work) {
  /** @type {NodeJS.Timeout | undefined} */ let timer;
  /** @type {Promise<never>} */ const timeout = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${TIMEOUT_MS} ms`)), TIMEOUT_MS);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/** The text of an error for the user. @param {unknown} error */
const reasonOf = (error) => (error instanceof Error ? error.message : String(error));

module.exports = { withTimeout, reasonOf };
