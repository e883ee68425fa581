// @ts-check
/**
 * What other libraries and services remove, as plans. Placeholders have 20 tokens.
 *
 * @typedef {import('./bill.mjs').Context} Context
 * @typedef {import('./bill.mjs').Plan} Plan
 * @typedef {import('./bill.mjs').Price} Price
 */
import { cached, nothing } from './bill.mjs';

export const PLACEHOLDER = 20;

/** @param {Context} context @param {Plan} plan @param {number} position @param {number} request @param {number} [after] */
function remove({ tokens }, plan, position, request, after = PLACEHOLDER) {
  if ((plan.at[position] ?? 0) <= request) return;
  plan.at[position] = request;
  plan.after[position] = Math.min(after, tokens[position] ?? 0);
}

/** A call or result without a trace; what is said beside a call stays. @param {Context} context @param {Plan} plan @param {number} position @param {number} request */
function removeWhole(context, plan, position, request) {
  const role = context.roles[position];
  if (role !== 'call' && role !== 'result') return;
  const rest = role === 'call' ? (context.tokens[position] ?? 0) - (context.callTokens[position] ?? 0) : 0;
  remove(context, plan, position, request, rest > PLACEHOLDER ? rest : 0);
}

/** @param {Context} context @param {number} length positions of results among the first so many */
function results({ roles }, length) {
  return roles.slice(0, length).flatMap((role, position) => (role === 'result' ? [position] : []));
}

/**
 * Above `trigger` tokens every result but the newest `keep`: Anthropic's `clear_tool_uses`. Not sticky: judged by what is stored, so that
 * once the history is long each request clears one more; sticky: by what is sent, so that it clears in batches. LangChain's
 * `ClearToolUsesEdit` isn't sticky and counts neither system prompt nor tools.
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
      const isGone = isSticky && (plan.at[position] ?? 0) <= request;
      size += (isGone ? plan.after : context.tokens)[position] ?? 0;
    }
    if (size <= trigger) return;
    const all = results(context, length);
    for (const position of all.slice(0, Math.max(0, all.length - keep))) remove(context, plan, position, request);
  });
  return plan;
}

/** Every result but the newest `keep`, with each request. @param {Context} context @param {number} keep */
export function keepLast(context, keep) {
  return clearToolUses(context, { trigger: -1, keep, isSticky: false });
}

/**
 * AI SDK's `pruneMessages({ toolCalls: 'before-last-20-messages' })`: calls and their results vanish once neither is among the last few.
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
 * Mastra's `ToolCallFilter`: with each new turn all calls and results of the turns before vanish.
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
 * Mastra's `TokenLimiter`: of the messages the newest that fit, and of older ones those that fit beside them; what is dropped stays away.
 * A call is one message with its results.
 * @param {Context} context
 * @param {number} limit
 * @returns {Plan}
 */
export function newestThatFit(context, limit) {
  const { roles, calls, tokens, lengths, fixedTokens } = context;
  const plan = nothing(context);
  const owner = calls.map((call, position) => call ?? position);
  lengths.forEach((length, request) => {
    /** @type {Map<number, number>} */ const sizes = new Map();
    let left = limit - fixedTokens;
    for (let position = 0; position < length; position++) {
      if (roles[position] === 'system') left -= tokens[position] ?? 0;
      else if ((plan.at[position] ?? 0) > request) {
        const message = owner[position] ?? position;
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
      if (dropped.has(owner[position] ?? position)) remove(context, plan, position, request, 0);
    }
  });
  return plan;
}

const SUMMARY = 2_000;
/** A token that the model writes, in units of base input: what most providers take is between four and eight. */
const OUTPUT = 5;

/**
 * A summary of 2,000 tokens for all but the newest fifth of the window, once the prompt has `share` of it. A request reads the whole
 * prompt from the cache and writes it. What the summary carries over isn't counted as found.
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
    plan.beside = (plan.beside ?? 0) + price.read * size + OUTPUT * SUMMARY;
    let from = length;
    let kept = 0;
    while (from > 1 && kept + (sent[from - 1] ?? 0) < window / 5) kept += sent[--from] ?? 0;
    while (from < length && context.roles[from] === 'result') from++;
    let summary = SUMMARY;
    for (let position = context.roles[0] === 'system' ? 1 : 0; position < from; position++) {
      if ((plan.at[position] ?? 0) > request) plan.at[position] = request;
      plan.after[position] = summary;
      sent[position] = summary;
      summary = 0;
    }
  });
  return plan;
}

/**
 * Results in random order, with each request as many tokens as `like` takes out.
 * @param {Context} context
 * @param {Plan} like
 * @param {() => number} random
 * @returns {Plan}
 */
export function randomLike(context, like, random) {
  const plan = nothing(context);
  /** @type {Map<number, number>} */ const amounts = new Map();
  for (const position of results(context, context.roles.length)) {
    const request = like.at[position] ?? 0;
    const saved = (context.tokens[position] ?? 0) - (like.after[position] ?? 0);
    if (Number.isFinite(request)) amounts.set(request, (amounts.get(request) ?? 0) + saved);
  }
  for (const [request, amount] of [...amounts].sort(([a], [b]) => a - b)) {
    let left = amount;
    const pool = results(context, context.lengths[request - 1] ?? 0).filter((position) => {
      return (plan.at[position] ?? 0) > request && (context.tokens[position] ?? 0) > 2 * PLACEHOLDER;
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

/** Of results with the very same text all but the newest, from when that is sent. @param {Context} context @returns {Plan} */
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
 * What one who knows all later needs removes: each result once nobody needs it any more, whenever that pays over the rest of the session.
 * @param {Context} context
 * @param {Price} price
 * @returns {Plan}
 */
export function oracle(context, price) {
  const { lengths, timesMs, tokens, fixedTokens } = context;
  const free = tokens.map((_, position) => lengths.findIndex((length) => length > position) + 1);
  for (const { source, request } of context.needs) free[source] = Math.max(free[source] ?? 0, request + 1);
  const plan = nothing(context);
  const sent = [...tokens];
  lengths.forEach((length, request) => {
    if (request === 0) return;
    const known = lengths[request - 1] ?? 0;
    const elapsed = (timesMs[request] ?? 0) - (timesMs[request - 1] ?? 0);
    const sums = [fixedTokens];
    for (let position = 0; position < length; position++) sums.push((sums.at(-1) ?? 0) + (sent[position] ?? 0));
    const all = sums.at(-1) ?? 0;
    const costOf = (/** @type {number} */ from, /** @type {number} */ saved) => {
      const read = cached(sums[Math.min(from, known)] ?? 0, elapsed, price);
      return price.read * read + price.write * (all - saved - read);
    };
    const pending = results(context, length).filter((position) => {
      return (free[position] ?? 0) <= request && (sent[position] ?? 0) > PLACEHOLDER;
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

/** What the product's own policy took out. @param {Context} context @param {string} prices @param {string} policy @returns {Plan} */
export function played(context, prices, policy) {
  const short = new Map(context.short[`${prices}:${policy}`] ?? []);
  const plan = { ...nothing(context), short, refers: context.refers };
  for (const [position, request, after] of context.gone[`${prices}:${policy}`] ?? []) {
    remove(context, plan, position, request, after);
  }
  return plan;
}
