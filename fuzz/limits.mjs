// @ts-check
/** What a case may take, even on a machine with much other load. */
import { AssertionError, strict as assert } from 'node:assert';

/** CPU time, because calls that only wait for the CPU would look slow. Far above what a case needs, far below exponential time. */
const MAX_CPU_MS = 5_000;
/** Wall-clock time, because waiting uses no CPU. A promise that is pending after this time never settles. */
const SETTLED_MS = 60_000;

/** @param {NodeJS.CpuUsage} began @param {string} what @param {string} [kind] */
export function assertQuick(began, what, kind = '') {
  const { user, system } = process.cpuUsage(began);
  assert.ok(user + system < MAX_CPU_MS * 1_000, `${what} took more than ${MAX_CPU_MS} ms of a core\n${kind}`);
}

/** @template T @param {Promise<T>} promise @param {string} what @returns {Promise<T>} */
export async function inTime(promise, what) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const late = new Promise((_, reject) => {
    const message = `${what} did not settle in ${SETTLED_MS} ms`;
    timer = setTimeout(() => reject(new AssertionError({ message })), SETTLED_MS);
  });
  try {
    return /** @type {T} */ (await Promise.race([promise, late]));
  } finally {
    clearTimeout(timer);
  }
}
