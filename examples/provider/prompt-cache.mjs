// @ts-check
/**
 * Simulates a prompt cache: each request is compared with the earlier request that shares the longest prefix with it.
 * The cache knows bytes, not conversations.
 */
import { createHash } from 'node:crypto';
import { Prices } from 'palimpsest';

/**
 * @typedef {{ bytes: string, tokens: number }} Part
 * @typedef {object} Billed
 * @property {number} requests
 * @property {number} tokens tokens of all prompts
 * @property {number} cached those read from the cache
 * @property {number} cost cost in tokens at the base input price
 * @property {number} changes requests that don't start with the whole request that they continue
 *
 * @typedef {{ ends: { hash: string, tokens: number }[], timeMs: number }} Request for each part: hash of all bytes up
 *   to its end, and tokens
 */

/** The cache, and the bill of what was read from it. */
export class PromptCache {
  #clock;
  /** @type {Request[]} */
  #requests = [];

  /** @param {() => number} clock in ms */
  constructor(clock) {
    this.#clock = clock;
  }

  /**
   * Adds a request and returns how much of it was read from the cache.
   * @param {readonly Part[]} parts
   * @param {import('palimpsest').PricesLike} price
   * @returns {{ total: number, cached: number }}
   */
  read(parts, price) {
    const hash = createHash('sha256');
    let tokens = 0;
    const ends = parts.map((part) => {
      tokens += part.tokens;
      return { hash: hash.update(`${part.bytes}\n`).copy().digest('base64'), tokens };
    });
    this.#requests.push({ ends, timeMs: this.#clock() });
    return this.#lookup(this.#requests.length - 1, new Prices(price));
  }

  /** Cost of all requests. @param {import('palimpsest').PricesLike} price @returns {Billed} */
  bill(price) {
    const prices = new Prices(price);
    const billed = { requests: this.#requests.length, tokens: 0, cached: 0, cost: 0, changes: 0 };
    for (let index = 0; index < this.#requests.length; index++) {
      const { total, cached, isChanged } = this.#lookup(index, prices);
      billed.tokens += total;
      billed.cached += cached;
      billed.cost += prices.cost({ total, cached });
      if (isChanged) billed.changes++;
    }
    return billed;
  }

  /** @param {number} at @param {Prices} prices */
  #lookup(at, prices) {
    const { ends, timeMs } = /** @type {Request} */ (this.#requests[at]);
    let best = { shared: 0, tokens: 0, before: /** @type {Request | undefined} */ (undefined) };
    for (let earlier = at - 1; earlier >= 0; earlier--) {
      const before = /** @type {Request} */ (this.#requests[earlier]);
      const shared = sharedBy(before.ends, ends);
      if (shared > best.shared) best = { shared, tokens: ends[shared - 1]?.tokens ?? 0, before };
      if (shared > 0 && shared === before.ends.length) break;
    }
    const elapsed = best.before === undefined ? Infinity : timeMs - best.before.timeMs;
    return {
      total: ends.at(-1)?.tokens ?? 0,
      cached: best.before === undefined ? 0 : prices.cachedTokens(best.tokens, elapsed),
      isChanged: best.before !== undefined && best.shared < best.before.ends.length,
    };
  }
}

/** @param {Request['ends']} a @param {Request['ends']} b */
function sharedBy(a, b) {
  let shared = 0;
  while (shared < a.length && a[shared]?.hash === b[shared]?.hash) shared++;
  return shared;
}
