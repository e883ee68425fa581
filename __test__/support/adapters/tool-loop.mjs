// @ts-check
/** A long tool loop that is independent of any SDK: files that are read repeatedly, and commands with long outputs. */
import assert from 'node:assert/strict';
import v8 from 'node:v8';
import vm from 'node:vm';

/** Options with which the next request has a placeholder for each result that is no longer recent. Without a prompt cache nothing is pending. */
export const REMOVE_AT_ONCE = /** @type {const} */ ({ price: 'none', outdatedBy: 'age', arrivalTimes: true });

/**
 * Options with which a tool loop of about `maxContextTokens` is summarised.
 * @param {number} maxContextTokens
 * @param {() => Promise<string>} [llmClient]
 */
export const compressionAt = (
  maxContextTokens,
  llmClient = async () => 'Goal: read a.js. Done: read it. Open: nothing.',
) => ({
  config: { autoCompressionSummaryModel: 'small', maxContextTokens, autoCompressionKeepRecentCount: 4 },
  llmClient,
});

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

/**
 * Asserts that a ledger has these requests, and that they cost less than the unmodified history.
 * @param {{ requests: number, cost: number, costLeftAlone: number }} ledger @param {number} expectedRequests
 */
export function assertLedger({ requests, cost, costLeftAlone }, expectedRequests) {
  assert.equal(requests, expectedRequests);
  assert.ok(cost > 0 && cost < costLeftAlone);
}

/**
 * Asserts that results stay removed, and that with a prompt cache they are removed in batches.
 * @template Message
 * @param {(price: 'none' | 'anthropic') => Promise<Message[][]>} requestsWith sends 40 requests
 * @param {(messages: Message[]) => unknown[]} placeholdersIn
 * @param {(messages: Message[]) => string[]} bytesOf
 */
export async function assertBatches(requestsWith, placeholdersIn, bytesOf) {
  const changes = [];
  for (const price of /** @type {const} */ (['none', 'anthropic'])) {
    const requests = await requestsWith(price);
    const counts = requests.map((request) => placeholdersIn(request).length);
    assert.deepEqual(
      counts,
      [...counts].sort((a, b) => a - b),
      'a removed result is sent in full again',
    );
    assert.ok(Number(counts.at(-1)) > 20, `only ${counts.at(-1)} placeholders`);
    changes.push(prefixChanges(requests.map(bytesOf)));
  }
  const [immediate, batched] = changes;
  assert.equal(immediate, 35);
  assert.ok(batched && batched <= 12, `${batched} changes`);
}

/** Asserts that a removed result stays removed. @param {readonly (readonly string[])[]} removedIds for each request */
export function assertNeverRestored(removedIds) {
  for (const [request, ids] of removedIds.entries()) {
    const restored = (removedIds[request - 1] ?? []).filter((id) => !ids.includes(id));
    assert.deepEqual(restored, [], `request ${request}`);
  }
}

function collectGarbage() {
  v8.setFlagsFromString('--expose-gc');
  vm.runInNewContext('gc')();
}

/** Bytes by which the heap grows while conversations with different names are sent. @param {(name: string) => Promise<void>} send @param {number} count */
export async function heapGrowth(send, count) {
  for (let nth = 0; nth < 10; nth++) await send(`warm ${nth}`);
  const before = await heapAfterCollection();
  for (let nth = 0; nth < count; nth++) await send(`work ${nth}`);
  return (await heapAfterCollection()) - before;
}

async function heapAfterCollection() {
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
