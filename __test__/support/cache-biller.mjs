// @ts-check
/** A provider with a prompt cache that bills by bytes: it compares the bytes of messages to find the cached prefix. */

/** Price lists by name, in units of the base input price. */
export const PRICES = {
  anthropic: { write: 1.25, read: 0.1, ttlMs: 300_000, minTokens: 1024, blockTokens: 1 },
  'anthropic-1h': { write: 2, read: 0.1, ttlMs: 3_600_000, minTokens: 1024, blockTokens: 1 },
  openai: { write: 1.25, read: 0.1, ttlMs: 1_800_000, minTokens: 1024, blockTokens: 128 },
  'openai-older': { write: 1, read: 0.5, ttlMs: 600_000, minTokens: 1024, blockTokens: 128 },
  deepseek: { write: 1, read: 0.02, ttlMs: 21_600_000, minTokens: 64, blockTokens: 64 },
  gemini: { write: 1, read: 0.1, ttlMs: 600_000, minTokens: 2048, blockTokens: 1 },
  none: { write: 1, read: 1, ttlMs: 0, minTokens: 0, blockTokens: 1 },
};

/** The most that a session may cost relative to its unmodified history: the default of `maxExtraCost` is 0.02. */
export const COST_LIMIT = 1.02;

/** One client's requests and their cost, in tokens at the base input price. */
export class CacheBiller {
  #prices;
  #weigh;
  #bytesOf;
  /** @type {string[]} */ #last = [];
  #lastTime = Number.NEGATIVE_INFINITY;
  cost = 0;
  tokens = 0;
  cached = 0;
  requests = 0;
  /** Number of requests that didn't start with the whole previous request. */
  prefixChanges = 0;

  /**
   * @param {typeof PRICES['anthropic']} prices
   * @param {(message: any) => number} [weigh] tokens of a message; default: a quarter of its bytes
   * @param {(message: any) => string} [bytesOf] serialises a message; may cache messages that nobody edits
   */
  constructor(prices, weigh = quarterOfBytes, bytesOf = written) {
    this.#prices = prices;
    this.#weigh = weigh;
    this.#bytesOf = bytesOf;
  }

  /**
   * Bills a request and returns its usage.
   * @param {readonly any[]} messages
   * @param {number} now
   */
  bill(messages, now) {
    const { write, read, ttlMs, minTokens, blockTokens } = this.#prices;
    const bytes = messages.map(this.#bytesOf);
    let shared = 0;
    while (shared < bytes.length && bytes[shared] === this.#last[shared]) shared++;
    if (shared < this.#last.length) this.prefixChanges++;
    const weights = messages.map(this.#weigh);
    const prefix = sumOf(weights.slice(0, shared));
    const total = sumOf(weights);
    const blocks = Math.floor(prefix / blockTokens) * blockTokens;
    const cached = now - this.#lastTime > ttlMs || blocks < minTokens ? 0 : blocks;
    const cost = read * cached + write * (total - cached);
    this.cost += cost;
    this.tokens += total;
    this.cached += cached;
    this.requests++;
    this.#last = bytes;
    this.#lastTime = now;
    return { cost, cached, total, shared };
  }
}

/** @param {any} message */
function written(message) {
  return JSON.stringify(message) ?? '';
}

/** @param {any} message */
function quarterOfBytes(message) {
  return Buffer.byteLength(JSON.stringify(message) ?? '') / 4;
}

/** @param {readonly number[]} weights */
function sumOf(weights) {
  return weights.reduce((sum, weight) => sum + weight, 0);
}
