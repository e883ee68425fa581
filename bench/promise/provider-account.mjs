// @ts-check
/**
 * A provider's bill, independent of the view's own computation: it uses the bytes that are sent and its own token
 * counts. The cache is a set of prefixes with the time of their last use, so a side request, a rewind or a fork reads
 * the longest prefix that is still cached.
 */
import { blocksIn, ROOT } from './prompts.mjs';

/** @typedef {import('./prompts.mjs').Prompts} Prompts */
/** @typedef {typeof import('../../__test__/support/cache-biller.mjs').PRICES['anthropic']} PriceList */
/** @typedef {{ tools: number, rest: number }} Factors provider's tokens per token of ours, by kind of message */
/**
 * @typedef {{ nowMs: number, marks?: readonly number[] | null, keepsOnly?: number | null }} Terms `keepsOnly`: cached
 *   prefixes longer than this many messages are lost
 */
/**
 * @typedef {{ total: number, cached: number, written: number, cost: number, nodes: number[] }} Billed in tokens; `nodes`: prefixes of the prompt
 */

const NEVER = Number.NEGATIVE_INFINITY;
/** Number of blocks before a breakpoint that the provider searches for a cached prefix. */
const LOOK_BACK_BLOCKS = 20;

/** A provider that caches every prefix of a prompt, or only those with breakpoints (Anthropic). */
export class ProviderAccount {
  cost = 0;
  requests = 0;
  /** By node: time of the last read or write. */ #usedMs = new Float64Array(1024).fill(NEVER);
  /** The last request; `ends`: tokens up to each message's end. @type {{ messages: readonly any[], nodes: number[], ends: number[] }} */ #last =
    {
      messages: [],
      nodes: [],
      ends: [],
    };

  /** @param {PriceList} prices @param {Prompts} prompts @param {Factors} factors */
  constructor(prices, prompts, factors) {
    this.prices = prices;
    this.prompts = prompts;
    this.factors = factors;
  }

  /**
   * Bills a request and updates the cache.
   * @param {readonly any[]} messages
   * @param {Terms} terms
   * @returns {Billed}
   */
  bill(messages, { nowMs, marks = null, keepsOnly = null }) {
    if (keepsOnly !== null) this.#lose(keepsOnly);
    const { nodes, ends } = this.#read(messages);
    const total = ends.at(-1) ?? 0;
    const { read, write } = this.prices;
    const cached =
      marks === null
        ? this.#cachedPrefix(nodes, ends, nowMs)
        : this.#cachedAtBreakpoint(messages, { nodes, ends, nowMs, marks });
    const lastCachedEnd = marks === null ? total : (ends[marks.at(-1) ?? -1] ?? cached);
    const written = Math.max(0, lastCachedEnd - cached);
    const cost = read * cached + write * written + (total - cached - written);
    this.#keep(nodes, ends, nowMs, marks);
    this.cost += cost;
    this.requests++;
    return { total, cached, written, cost, nodes };
  }

  /** For each message: the prefix that ends with it, and that prefix's tokens. @param {readonly any[]} messages */
  #read(messages) {
    const { prompts, factors } = this;
    const last = this.#last;
    const end = Math.min(last.messages.length, messages.length);
    let shared = 0;
    while (shared < end && last.messages[shared] === messages[shared]) shared++;
    const [nodes, ends] = [last.nodes.slice(0, shared), last.ends.slice(0, shared)];
    let [node, tokens] = [nodes[shared - 1] ?? ROOT, ends[shared - 1] ?? 0];
    for (let index = shared; index < messages.length; index++) {
      const id = prompts.textId(messages[index]);
      node = prompts.child(node, id);
      tokens += prompts.tokensOf(id) * (prompts.isTool(id) ? factors.tools : factors.rest);
      nodes.push(node);
      ends.push(tokens);
    }
    this.#last = { messages, nodes, ends };
    return this.#last;
  }

  /**
   * Caches the prompt's prefixes.
   * @param {readonly number[]} nodes @param {readonly number[]} ends @param {number} nowMs
   * @param {readonly number[] | null} marks
   */
  #keep(nodes, ends, nowMs, marks) {
    if (this.prompts.depths.length > this.#usedMs.length) {
      const longer = new Float64Array(2 * this.prompts.depths.length).fill(NEVER);
      longer.set(this.#usedMs);
      this.#usedMs = longer;
    }
    if (marks === null) for (const node of nodes) this.#usedMs[node] = nowMs;
    for (const mark of marks ?? []) {
      const node = nodes[mark];
      if (node !== undefined && /** @type {number} */ (ends[mark]) >= this.prices.minTokens) this.#usedMs[node] = nowMs;
    }
  }

  /** True if a prefix is still cached. @param {number | undefined} node @param {number} nowMs */
  #isKept(node, nowMs) {
    return node !== undefined && nowMs - (this.#usedMs[node] ?? NEVER) <= this.prices.ttlMs;
  }

  /**
   * Tokens of the longest cached prefix.
   * @param {readonly number[]} nodes @param {readonly number[]} ends @param {number} nowMs
   */
  #cachedPrefix(nodes, ends, nowMs) {
    let shared = 0;
    while (shared < nodes.length && this.#isKept(nodes[shared], nowMs)) shared++;
    const { blockTokens, minTokens } = this.prices;
    const blocks = Math.floor((ends[shared - 1] ?? 0) / blockTokens) * blockTokens;
    return blocks < minTokens ? 0 : blocks;
  }

  /**
   * Tokens of the longest cached prefix that one of the breakpoints reaches.
   * @param {readonly any[]} messages
   * @param {{ nodes: readonly number[], ends: readonly number[], nowMs: number, marks: readonly number[] }} request
   */
  #cachedAtBreakpoint(messages, { nodes, ends, nowMs, marks }) {
    let best = -1;
    for (const mark of marks) {
      let blocks = 0;
      for (let index = mark; index > best && blocks <= LOOK_BACK_BLOCKS; index--) {
        if (this.#isKept(nodes[index], nowMs)) best = index;
        blocks += blocksIn(messages[index]);
      }
    }
    if (best < 0) return 0;
    this.#usedMs[/** @type {number} */ (nodes[best])] = nowMs;
    return /** @type {number} */ (ends[best]);
  }

  /** Removes all cached prefixes longer than `messages` messages. @param {number} messages */
  #lose(messages) {
    const { depths } = this.prompts;
    const kept = Math.min(depths.length, this.#usedMs.length);
    for (let node = 0; node < kept; node++) {
      if (/** @type {number} */ (depths[node]) > messages) this.#usedMs[node] = NEVER;
    }
  }
}
