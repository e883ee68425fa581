// @ts-check
/**
 * Computes a plan's cost and the needs that it misses. The bill is computed independently of the product's own code.
 *
 * @typedef {object} Need content of an earlier result that an assistant message used
 * @property {number} request that the assistant message answers
 * @property {number} source position of the newest result with the content
 * @property {number} firstSent
 * @property {'edit' | 'quote' | 'name'} kind
 * @property {boolean} strong
 * @property {number[][]} grams for each piece of text (gram) that was used, the positions of results that contain it
 * @property {{ gram: string, said: string, shown: string }[]} texts
 * @property {any} told where it was found, for manual review
 *
 * @typedef {object} Context one list of messages, and the requests that sent it; lists without another note are by
 *   position in the messages
 * @property {number} thread
 * @property {number} fixedTokens
 * @property {number[]} tokens
 * @property {(string | null)[]} kinds kinds of results; null for other messages
 * @property {('result' | 'call' | 'system' | 'user' | 'other')[]} roles
 * @property {boolean[]} errors true for failed results
 * @property {(number | null)[]} calls of a result, the position of its call
 * @property {number[]} callTokens
 * @property {(number | null)[]} same equal numbers for results with identical text
 * @property {(number | null)[]} fetches equal numbers for calls that fetch the same
 * @property {number[]} lengths by request, the number of messages sent
 * @property {number[]} timesMs by request
 * @property {Need[]} needs
 * @property {Record<string, [position: number, request: number, tokensAfter: number][]>} gone removals by policy
 * @property {Record<string, [position: number, tokens: number][]>} short by policy, results that are sent with references
 *   from their first request on, and their tokens with references
 * @property {Record<number, number[]>} refers by position, the results that its references point to
 * @property {string} file
 *
 * @typedef {object} Plan what is removed
 * @property {number[]} removedFrom by position, the first request that sends a replacement; infinite: none does
 * @property {number[]} tokensAfter by position, tokens of the replacement
 * @property {number} [sideCost] cost of side requests
 * @property {Map<number, number>} [short] tokens of results that are sent with references
 * @property {Record<number, number[]>} [refers] the results that references point to
 *
 * @typedef {{ read: number, write: number, ttlMs: number, minTokens: number, blockTokens: number }} Price cost of a token
 *   that is read from the cache, and of any other; the cache's lifetime, minimum and granularity
 * @typedef {object} Score
 * @property {number} cost
 * @property {number} lookUps cost of fetching missed results again
 * @property {number} alone cost of unmodified history
 * @property {number} needs count
 * @property {number} missed count
 * @property {number} strong count
 * @property {number} strongMissed count
 */

/** The plan that removes nothing. @param {Context} context @returns {Plan} */
export function nothing({ tokens }) {
  return { removedFrom: tokens.map(() => Number.POSITIVE_INFINITY), tokensAfter: [...tokens] };
}

/**
 * Number of tokens read from the cache.
 * @param {number} unchanged leading tokens @param {number} elapsedMs since the previous request @param {Price} price
 */
export function cached(unchanged, elapsedMs, { ttlMs, minTokens, blockTokens }) {
  const inBlocks = elapsedMs <= ttlMs ? Math.floor(unchanged / blockTokens) * blockTokens : 0;
  return inBlocks < minTokens ? 0 : inBlocks;
}

/** Cost of all requests. @param {Context} context @param {Plan} plan @param {Price} price @returns {number} */
export function bill(context, plan, price) {
  return runningBill(context, plan, price).at(-1) ?? 0;
}

/** Running total of the cost after each request. @param {Context} context @param {Plan} plan @param {Price} price @returns {number[]} */
export function runningBill(context, { removedFrom, tokensAfter, sideCost = 0, short }, price) {
  const { tokens, lengths, timesMs, fixedTokens } = context;
  /** Positions that are replaced, by request. @type {Map<number, number[]>} */ const changes = new Map();
  removedFrom.forEach((request, position) => {
    if (request < lengths.length) changes.set(request, [...(changes.get(request) ?? []), position]);
  });
  const sent = tokens.map((stored, position) => short?.get(position) ?? stored);
  let cost = sideCost;
  /** @type {number[]} */ const sums = [];
  let previousLength = 0;
  let previousMs = Number.NEGATIVE_INFINITY;
  lengths.forEach((length, request) => {
    let firstChanged = Math.min(previousLength, length);
    for (const position of changes.get(request) ?? []) {
      sent[position] = tokensAfter[position] ?? 0;
      firstChanged = Math.min(firstChanged, position);
    }
    let unchanged = fixedTokens;
    let all = fixedTokens;
    for (let position = 0; position < length; position++) {
      all += sent[position] ?? 0;
      if (position < firstChanged) unchanged += sent[position] ?? 0;
    }
    const nowMs = timesMs[request] ?? 0;
    const read = request === 0 ? 0 : cached(unchanged, nowMs - previousMs, price);
    cost += price.read * read + price.write * (all - read);
    sums.push(cost);
    previousLength = length;
    previousMs = nowMs;
  });
  return sums;
}

/** True if at least half of what a need used is not sent. @param {Need} need @param {Plan} plan */
export function isMissed({ request, grams }, { removedFrom, short, refers }) {
  const isSent = (/** @type {number} */ position) => (removedFrom[position] ?? 0) > request;
  // A result with references is complete as long as the results that it refers to are sent.
  const isComplete = (/** @type {number} */ position) =>
    !short?.has(position) || (refers?.[position] ?? []).every(isSent);
  const missing = grams.filter(
    (sources) => !sources.some((position) => isSent(position) && isComplete(position)),
  ).length;
  return missing * 2 >= grams.length;
}

/**
 * Cost of fetching each missed result again once: one request that reads its prompt from the cache and writes the
 * result.
 * @param {Context} context
 * @param {Plan} plan
 * @param {Price} price
 * @param {readonly Need[]} missed
 */
function lookUps({ fixedTokens, tokens, lengths }, { removedFrom, tokensAfter, short }, price, missed) {
  /** First request that needs each result. @type {Map<number, number>} */ const firstNeeds = new Map();
  for (const { source, request } of missed) {
    firstNeeds.set(source, Math.min(firstNeeds.get(source) ?? request, request));
  }
  let cost = 0;
  for (const [source, request] of firstNeeds) {
    let prompt = fixedTokens;
    for (let position = 0; position < (lengths[request] ?? 0); position++) {
      const isRemoved = (removedFrom[position] ?? 0) <= request;
      prompt += (isRemoved ? tokensAfter[position] : (short?.get(position) ?? tokens[position])) ?? 0;
    }
    const read = cached(prompt, 0, price);
    cost += price.read * read + price.write * (prompt + (tokens[source] ?? 0) - read);
  }
  return cost;
}

/**
 * A plan's cost and misses.
 * @param {Context} context @param {Plan} plan @param {Price} price @param {number} alone cost of unmodified history
 * @returns {Score}
 */
export function score(context, plan, price, alone) {
  const missed = context.needs.filter((need) => isMissed(need, plan));
  const countStrong = (/** @type {Need[]} */ needs) => needs.filter((need) => need.strong).length;
  return {
    cost: bill(context, plan, price),
    lookUps: lookUps(context, plan, price, missed),
    alone,
    needs: context.needs.length,
    missed: missed.length,
    strong: countStrong(context.needs),
    strongMissed: countStrong(missed),
  };
}
