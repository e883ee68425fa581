// @ts-check
/** A run's cost, and its differences from a run without interruptions. */
import { PromptCache } from '../provider/prompt-cache.mjs';
import { timeOf } from './conversation.mjs';

const PRICE = 'anthropic';

/** @typedef {import('./fleet.mjs').Request} Request */

/**
 * A run's cost.
 * @param {readonly Request[]} requests
 * @param {readonly number[]} summaries prompt tokens of each summary request
 * @returns {{ requests: number, tokens: number, cost: number, changes: number, summaries: number }}
 */
export function accountOf(requests, summaries) {
  let nowMs = 0;
  /** @type {Map<number, PromptCache>} */
  const caches = new Map();
  for (const { conversation, step, sent } of requests) {
    const cache = caches.get(conversation) ?? new PromptCache(() => nowMs);
    caches.set(conversation, cache);
    nowMs = timeOf(step);
    cache.read(sent.parts, PRICE);
  }
  const total = { requests: 0, tokens: 0, cost: 0, changes: 0, summaries: summaries.length };
  for (const cache of caches.values()) {
    const { requests: count, tokens, cost, changes } = cache.bill(PRICE);
    total.requests += count;
    total.tokens += tokens;
    total.cost += cost;
    total.changes += changes;
  }
  for (const tokens of summaries) total.cost += tokens;
  return total;
}

/**
 * @param {readonly Request[]} requests
 * @param {readonly Request[]} unbroken requests of the run without interruptions, each once
 * @returns {{ lost: number, differing: number }} number of requests that were never sent, and of those with other bytes
 */
export function compared(requests, unbroken) {
  const expected = new Map(unbroken.map((request) => [keyOf(request), bytesOf(request)]));
  const sentKeys = new Set(requests.map(keyOf));
  return {
    lost: unbroken.filter((request) => !sentKeys.has(keyOf(request))).length,
    differing: requests.filter((request) => expected.get(keyOf(request)) !== bytesOf(request)).length,
  };
}

/** @param {Request} request */
const keyOf = ({ conversation, step }) => `${conversation}/${step}`;
/** @param {Request} request */
const bytesOf = ({ sent }) => sent.parts.map(({ bytes }) => bytes).join();
