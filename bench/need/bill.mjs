// @ts-check
/**
 * Computes a plan's cost and the needs that it misses. The bill is computed independently of the product's own code.
 *
 * @typedef {{ request: number, source: number, firstSent: number, kind: 'edit' | 'quote' | 'name', strong: boolean, grams: number[][],
 *   texts: { gram: string, said: string, shown: string }[], told: any }} Need
 * @typedef {object} Context one list of messages, by position, and the requests that sent it
 * @property {number} thread
 * @property {number} fixedTokens
 * @property {number[]} tokens
 * @property {(string | null)[]} kinds
 * @property {('result' | 'call' | 'system' | 'user' | 'other')[]} roles
 * @property {boolean[]} errors
 * @property {(number | null)[]} calls
 * @property {number[]} callTokens
 * @property {(number | null)[]} same
 * @property {(number | null)[]} fetches
 * @property {number[]} lengths
 * @property {number[]} timesMs
 * @property {Need[]} needs
 * @property {Record<string, [number, number, number][]>} gone
 * @property {Record<string, [number, number][]>} short results that are sent with references from their first request
 *   on, and their tokens with references
 * @property {Record<number, number[]>} refers by position, the results that its references point to
 * @property {string} file
 *
 * @typedef {{ at: number[], after: number[], sideCost?: number, short?: Map<number, number>, refers?: Record<number, number[]> }} Plan
 *   `at`, `after`: by position, the first request with a replacement, and its tokens then; `sideCost`: cost of side
 *   requests; `short`, `refers`: tokens of results that are sent with references, and the results referred to
 * @typedef {{ read: number, write: number, ttlMs: number, minTokens: number, blockTokens: number }} Price
 * @typedef {{ cost: number, lookUps: number, alone: number, needs: number, missed: number, strong: number, strongMissed: number }} Score
 */

/** @param {Context} context @returns {Plan} */
export function nothing({ tokens }) {
  return { at: tokens.map(() => Number.POSITIVE_INFINITY), after: [...tokens] };
}

/** Number of tokens read from the cache, if `same` leading tokens are unchanged. @param {number} same @param {number} elapsed @param {Price} price */
export function cached(same, elapsed, { ttlMs, minTokens, blockTokens }) {
  const whole = elapsed <= ttlMs ? Math.floor(same / blockTokens) * blockTokens : 0;
  return whole < minTokens ? 0 : whole;
}

/** @param {Context} context @param {Plan} plan @param {Price} price @returns {number} */
export function bill(context, plan, price) {
  return runningBill(context, plan, price).at(-1) ?? 0;
}

/** Running total of the cost after each request. @param {Context} context @param {Plan} plan @param {Price} price @returns {number[]} */
export function runningBill(context, { at, after, sideCost = 0, short }, price) {
  const { tokens, lengths, timesMs, fixedTokens } = context;
  /** @type {Map<number, number[]>} */ const changes = new Map();
  at.forEach((request, position) => {
    if (request < lengths.length) changes.set(request, [...(changes.get(request) ?? []), position]);
  });
  const sent = tokens.map((whole, position) => short?.get(position) ?? whole);
  let cost = sideCost;
  /** @type {number[]} */ const sums = [];
  let before = 0;
  let then = Number.NEGATIVE_INFINITY;
  lengths.forEach((length, request) => {
    let first = Math.min(before, length);
    for (const position of changes.get(request) ?? []) {
      sent[position] = after[position] ?? 0;
      first = Math.min(first, position);
    }
    let same = fixedTokens;
    let all = fixedTokens;
    for (let position = 0; position < length; position++) {
      all += sent[position] ?? 0;
      if (position < first) same += sent[position] ?? 0;
    }
    const now = timesMs[request] ?? 0;
    const read = request === 0 ? 0 : cached(same, now - then, price);
    cost += price.read * read + price.write * (all - read);
    sums.push(cost);
    before = length;
    then = now;
  });
  return sums;
}

/** @param {Need} need @param {Plan} plan */
export function isMissed({ request, grams }, { at, short, refers }) {
  const isSent = (/** @type {number} */ position) => (at[position] ?? 0) > request;
  // A result with references is complete as long as the results that it refers to are sent.
  const isWhole = (/** @type {number} */ position) => !short?.has(position) || (refers?.[position] ?? []).every(isSent);
  const gone = grams.filter((sources) => !sources.some((position) => isSent(position) && isWhole(position))).length;
  return gone * 2 >= grams.length;
}

/**
 * Cost of fetching each missed result again once: one request that reads its prompt from the cache and writes the
 * result.
 * @param {Context} context
 * @param {Plan} plan
 * @param {Price} price
 * @param {readonly Need[]} missed
 */
function lookUps({ fixedTokens, tokens, lengths }, { at, after, short }, price, missed) {
  /** @type {Map<number, number>} */ const first = new Map();
  for (const { source, request } of missed) first.set(source, Math.min(first.get(source) ?? request, request));
  let cost = 0;
  for (const [source, request] of first) {
    let prompt = fixedTokens;
    for (let position = 0; position < (lengths[request] ?? 0); position++) {
      const begun = short?.get(position) ?? tokens[position];
      prompt += ((at[position] ?? 0) <= request ? after[position] : begun) ?? 0;
    }
    const read = cached(prompt, 0, price);
    cost += price.read * read + price.write * (prompt + (tokens[source] ?? 0) - read);
  }
  return cost;
}

/** @param {Context} context @param {Plan} plan @param {Price} price @param {number} alone @returns {Score} */
export function score(context, plan, price, alone) {
  const missed = context.needs.filter((need) => isMissed(need, plan));
  const strong = (/** @type {Need[]} */ needs) => needs.filter((need) => need.strong).length;
  return {
    cost: bill(context, plan, price),
    lookUps: lookUps(context, plan, price, missed),
    alone,
    needs: context.needs.length,
    missed: missed.length,
    strong: strong(context.needs),
    strongMissed: strong(missed),
  };
}
