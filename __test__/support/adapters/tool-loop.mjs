// @ts-check
/** A long tool loop that is independent of any SDK: files that are read repeatedly, and commands with long outputs. */
import v8 from 'node:v8';
import vm from 'node:vm';

/** Options with which the next request has a placeholder for each result that is no longer recent. Without a prompt cache nothing is pending. */
export const REMOVE_AT_ONCE = /** @type {const} */ ({ price: 'none', outdatedBy: 'age', arrivalTimes: true });

/** @typedef {{ id: string, name: string, input: Record<string, string>, output: string }} Call */

/**
 * The calls of one step. Ids are the same in every conversation; texts differ.
 * @param {string} name of the conversation
 * @param {number} step
 * @returns {Call[]}
 */
export function callsOf(name, step) {
  const path = `src/${name}-${step % 3}.ts`;
  const read = `${name} ${step}: line of code in ${path}\n`.repeat(80);
  const run = `${name} ${step}: ok, test of the suite passed\n`.repeat(60);
  return [
    { id: `call_${2 * step}`, name: 'Read', input: { file_path: path }, output: read },
    { id: `call_${2 * step + 1}`, name: 'Bash', input: { command: `npm test -- ${step}` }, output: run },
  ];
}

/** Number of leading elements that are equal as JSON. @param {readonly unknown[]} a @param {readonly unknown[]} b */
export function sharedPrefix(a, b) {
  let shared = 0;
  while (shared < Math.min(a.length, b.length) && JSON.stringify(a[shared]) === JSON.stringify(b[shared])) shared++;
  return shared;
}

/** Number of requests of a conversation that don't start like the previous one. @param {readonly (readonly unknown[])[]} requests */
export function prefixChanges(requests) {
  return requests.filter(
    (request, index) =>
      index > 0 && sharedPrefix(request, requests[index - 1] ?? []) < (requests[index - 1]?.length ?? 0),
  ).length;
}

function collectGarbage() {
  v8.setFlagsFromString('--expose-gc');
  vm.runInNewContext('gc')();
}

/** Heap size in bytes after garbage collection. */
export async function heapAfterCollection() {
  for (let round = 0; round < 4; round++) {
    collectGarbage();
    await new Promise((resolve) => setImmediate(resolve));
  }
  return process.memoryUsage().heapUsed;
}

/** Collects garbage until the object is gone, at most 20 times. @param {WeakRef<object>} reference @returns {Promise<boolean>} */
export async function isCollected(reference) {
  for (let round = 0; round < 20 && reference.deref() !== undefined; round++) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    collectGarbage();
  }
  return reference.deref() === undefined;
}
