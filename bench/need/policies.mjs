// @ts-check
/**
 * Plans of other libraries' and services' removal policies. Placeholders have 20 tokens.
 *
 * @typedef {import('./bill.mjs').Context} Context
 * @typedef {import('./bill.mjs').Plan} Plan
 * @typedef {import('./bill.mjs').Price} Price
 */
import { cached, nothing } from './bill.mjs';

/** Tokens of a placeholder. */
const PLACEHOLDER = 20;

/**
 * Replaces a message from a request on, if it isn't replaced yet.
 * @param {Context} context @param {Plan} plan @param {number} position @param {number} request
 * @param {number} [tokensAfter] of the replacement
 */
function remove({ tokens }, plan, position, request, tokensAfter = PLACEHOLDER) {
  if ((plan.removedFrom[position] ?? 0) <= request) return;
  plan.removedFrom[position] = request;
  plan.tokensAfter[position] = Math.min(tokensAfter, tokens[position] ?? 0);
}

/**
 * Removes a call or result without a placeholder; text in a call's message stays.
 * @param {Context} context @param {Plan} plan @param {number} position @param {number} request
 */
function removeWhole(context, plan, position, request) {
  const role = context.roles[position];
  if (role !== 'call' && role !== 'result') return;
  const rest = role === 'call' ? (context.tokens[position] ?? 0) - (context.callTokens[position] ?? 0) : 0;
  remove(context, plan, position, request, rest > PLACEHOLDER ? rest : 0);
}

/** Positions of results. @param {Context} context @param {number} length number of leading messages to search */
function results({ roles }, length) {
  return roles.slice(0, length).flatMap((role, position) => (role === 'result' ? [position] : []));
}

/**
 * Above `trigger` tokens, replaces every result except the newest `keep`, like Anthropic's `clear_tool_uses`. Not
 * sticky: compares the stored size, so once the history is long, each request clears one more result. Sticky: compares
 * the sent size, so it clears in batches. LangChain's `ClearToolUsesEdit` isn't sticky and counts neither system prompt
 * nor tools.
 * @param {Context} context
 * @param {{ trigger: number, keep: number, isSticky: boolean, countsMessagesOnly?: boolean }} options
 * @returns {Plan}
 */
export function clearToolUses(context, { trigger, keep, isSticky, countsMessagesOnly = false }) {
  const plan = nothing(context);
  context.lengths.forEach((length, request) => {
    let size = countsMessagesOnly ? 0 : context.fixedTokens;
    for (let position = 0; position < length; position++) {
      if (countsMessagesOnly && context.roles[position] === 'system') continue;
      const isRemoved = isSticky && (plan.removedFrom[position] ?? 0) <= request;
      size += (isRemoved ? plan.tokensAfter : context.tokens)[position] ?? 0;
    }
    if (size <= trigger) return;
    const all = results(context, length);
    for (const position of all.slice(0, Math.max(0, all.length - keep))) remove(context, plan, position, request);
  });
  return plan;
}

/** At each request, replaces every result except the newest `keep`. @param {Context} context @param {number} keep */
export function keepLast(context, keep) {
  return clearToolUses(context, { trigger: -1, keep, isSticky: false });
}

/**
 * AI SDK's `pruneMessages({ toolCalls: 'before-last-20-messages' })`: removes calls and their results once neither is
 * in the last `last` messages.
 * @param {Context} context
 * @param {number} last
 * @returns {Plan}
 */
export function pruneMessages(context, last) {
  const { roles, calls } = context;
  const plan = nothing(context);
  /** @type {Map<number, number>} */ const newestResult = new Map();
  calls.forEach((call, position) => {
    if (call !== null) newestResult.set(call, position);
  });
  context.lengths.forEach((length, request) => {
    const start = length - last;
    for (let position = 0; position < start; position++) {
      const call = roles[position] === 'call' ? position : calls[position];
      if (call === null || call === undefined) continue;
      if (Math.min(newestResult.get(call) ?? 0, length - 1) >= start) continue;
      removeWhole(context, plan, position, request);
    }
  });
  return plan;
}

/**
 * Mastra's `ToolCallFilter`: each new turn removes all calls and results of earlier turns.
 * @param {Context} context
 * @returns {Plan}
 */
export function withoutEarlierTurns(context) {
  const { roles, lengths } = context;
  const plan = nothing(context);
  lengths.forEach((length, request) => {
    const turn = roles.lastIndexOf('user', length - 1);
    for (let position = 0; position < turn; position++) removeWhole(context, plan, position, request);
  });
  return plan;
}

/**
 * Mastra's `TokenLimiter`: keeps the newest messages that fit, and older ones that fit into the remaining space; a
 * dropped message stays dropped. A call and its results count as one message.
 * @param {Context} context
 * @param {number} limit
 * @returns {Plan}
 */
export function newestThatFit(context, limit) {
  const { roles, calls, tokens, lengths, fixedTokens } = context;
  const plan = nothing(context);
  // By position: a result belongs to the message of its call.
  const owners = calls.map((call, position) => call ?? position);
  lengths.forEach((length, request) => {
    /** @type {Map<number, number>} */ const sizes = new Map();
    let left = limit - fixedTokens;
    for (let position = 0; position < length; position++) {
      if (roles[position] === 'system') left -= tokens[position] ?? 0;
      else if ((plan.removedFrom[position] ?? 0) > request) {
        const message = owners[position] ?? position;
        sizes.set(message, (sizes.get(message) ?? 0) + (tokens[position] ?? 0));
      }
    }
    /** @type {Set<number>} */ const dropped = new Set();
    for (const [message, size] of [...sizes].sort(([a], [b]) => b - a)) {
      if (size <= left) left -= size;
      else dropped.add(message);
    }
    if (dropped.size === 0) return;
    for (let position = 0; position < length; position++) {
      if (dropped.has(owners[position] ?? position)) remove(context, plan, position, request, 0);
    }
  });
  return plan;
}

/** Tokens of a summary. */
const SUMMARY = 2_000;
/** Price of an output token in units of base input; between four and eight at most providers. */
const OUTPUT_PRICE = 5;

/**
 * Compaction: once the prompt reaches `share` of the window, a summary of 2,000 tokens replaces everything except the
 * newest fifth of the window. Cost: one request that reads the whole prompt from the cache and writes the summary.
 * Content that the summary preserves counts as missed.
 * @param {Context} context
 * @param {Price} price
 * @param {{ window: number, share: number }} options
 * @returns {Plan}
 */
export function compactAt(context, price, { window, share }) {
  const plan = nothing(context);
  const sent = [...context.tokens];
  context.lengths.forEach((length, request) => {
    const sizeOf = (/** @type {number} */ from) => sent.slice(from, length).reduce((sum, tokens) => sum + tokens, 0);
    const size = context.fixedTokens + sizeOf(0);
    if (size < share * window) return;
    plan.sideCost = (plan.sideCost ?? 0) + price.read * size + OUTPUT_PRICE * SUMMARY;
    let from = length;
    let kept = 0;
    while (from > 1 && kept + (sent[from - 1] ?? 0) < window / 5) kept += sent[--from] ?? 0;
    while (from < length && context.roles[from] === 'result') from++;
    let summary = SUMMARY;
    for (let position = context.roles[0] === 'system' ? 1 : 0; position < from; position++) {
      if ((plan.removedFrom[position] ?? 0) > request) plan.removedFrom[position] = request;
      plan.tokensAfter[position] = summary;
      sent[position] = summary;
      summary = 0;
    }
  });
  return plan;
}

/**
 * Removes results in random order; with each request as many tokens as `like` removes.
 * @param {Context} context
 * @param {Plan} like
 * @param {() => number} random
 * @returns {Plan}
 */
export function randomLike(context, like, random) {
  const plan = nothing(context);
  /** @type {Map<number, number>} */ const amounts = new Map();
  for (const position of results(context, context.roles.length)) {
    const request = like.removedFrom[position] ?? 0;
    const saved = (context.tokens[position] ?? 0) - (like.tokensAfter[position] ?? 0);
    if (Number.isFinite(request)) amounts.set(request, (amounts.get(request) ?? 0) + saved);
  }
  for (const [request, amount] of [...amounts].sort(([a], [b]) => a - b)) {
    let left = amount;
    const pool = results(context, context.lengths[request - 1] ?? 0).filter((position) => {
      return (plan.removedFrom[position] ?? 0) > request && (context.tokens[position] ?? 0) > 2 * PLACEHOLDER;
    });
    while (left > 0 && pool.length > 0) {
      const [position = 0] = pool.splice(Math.floor(random() * pool.length), 1);
      const saved = (context.tokens[position] ?? 0) - PLACEHOLDER;
      if (saved > 1.5 * left && pool.length > 0) continue;
      remove(context, plan, position, request);
      left -= saved;
    }
  }
  return plan;
}

/** Of results with identical text, keeps only the newest, once that is sent. @param {Context} context @returns {Plan} */
export function withoutDuplicates(context) {
  const plan = nothing(context);
  /** @type {Map<number, number>} */ const newest = new Map();
  context.lengths.forEach((length, request) => {
    for (let position = context.lengths[request - 1] ?? 0; position < length; position++) {
      const same = context.same[position];
      if (same === null || same === undefined) continue;
      const before = newest.get(same);
      if (before !== undefined) remove(context, plan, before, request);
      newest.set(same, position);
    }
  });
  return plan;
}

/**
 * A policy that knows all later needs: removes each result once nothing needs it any more, if that pays over the rest
 * of the session.
 * @param {Context} context
 * @param {Price} price
 * @returns {Plan}
 */
export function oracle(context, price) {
  const { lengths, timesMs, tokens, fixedTokens } = context;
  // By position: the first request that no longer needs the message.
  const freeFrom = tokens.map((_, position) => lengths.findIndex((length) => length > position) + 1);
  for (const { source, request } of context.needs) freeFrom[source] = Math.max(freeFrom[source] ?? 0, request + 1);
  const plan = nothing(context);
  const sent = [...tokens];
  lengths.forEach((length, request) => {
    if (request === 0) return;
    const known = lengths[request - 1] ?? 0;
    const elapsedMs = (timesMs[request] ?? 0) - (timesMs[request - 1] ?? 0);
    const sums = [fixedTokens];
    for (let position = 0; position < length; position++) sums.push((sums.at(-1) ?? 0) + (sent[position] ?? 0));
    const all = sums.at(-1) ?? 0;
    const costOf = (/** @type {number} */ from, /** @type {number} */ saved) => {
      const read = cached(sums[Math.min(from, known)] ?? 0, elapsedMs, price);
      return price.read * read + price.write * (all - saved - read);
    };
    const pending = results(context, length).filter((position) => {
      return (freeFrom[position] ?? 0) <= request && (sent[position] ?? 0) > PLACEHOLDER;
    });
    let [best, from, saved] = [0, length, 0];
    for (const position of pending.reverse()) {
      saved += (sent[position] ?? 0) - PLACEHOLDER;
      const gain = costOf(length, 0) - costOf(position, saved) + (lengths.length - request - 1) * price.read * saved;
      if (gain > best) [best, from] = [gain, position];
    }
    for (const position of pending.filter((position) => position >= from)) {
      remove(context, plan, position, request);
      sent[position] = PLACEHOLDER;
    }
  });
  return plan;
}

/** The removals of the product's own policy. @param {Context} context @param {string} prices @param {string} policy @returns {Plan} */
export function played(context, prices, policy) {
  const short = new Map(context.short[`${prices}:${policy}`] ?? []);
  const plan = { ...nothing(context), short, refers: context.refers };
  for (const [position, request, tokensAfter] of context.gone[`${prices}:${policy}`] ?? []) {
    remove(context, plan, position, request, tokensAfter);
  }
  return plan;
}
