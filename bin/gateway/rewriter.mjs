// @ts-check
/**
 * Rewrites a request: replaces outdated results in its messages, and adds cache breakpoints. The `ContextView` of its
 * conversation decides both, by facts: when earlier requests were sent, and which ones.
 */
import { loadInternals } from '../library.mjs';
import { lacksMessages } from './dialects.mjs';
import { RequestBodies } from './request-body.mjs';
import { conversationIdOf, RequestFacts } from './request-facts.mjs';
import { listEdits, spliced } from './splice.mjs';
import { promptTokensOf } from './usage.mjs';

/**
 * @import { Api } from './dialects.mjs'
 * @import { RequestBody } from './request-body.mjs'
 * @import { FactFiles } from './fact-files.mjs'
 * @typedef {InstanceType<typeof import('../../lib/adapters/gateway.js')['Conversations']>} Conversations
 * @typedef {{ observe(usage: unknown): void, projected: any[], breakpoints: number[], isPending: boolean }} Prepared
 * @typedef {{ type: 'ephemeral', ttl?: '1h' }} CacheControl
 * @typedef {{ text: string, breakpoints: number }} FixedPrefix system prompt and tools, and their number of breakpoints
 * @typedef {object} RewriterOptions
 * @property {ReturnType<typeof import('../../lib/adapters/gateway.js')['readSettings']>} settings
 * @property {FactFiles} sentFacts facts about what was sent
 * @property {FactFiles} viewFacts facts that the views decide by: in a dry run about what would have been sent
 * @property {boolean} isDry
 * @property {() => number} [clock] in ms
 * @typedef {{ bytes: Buffer | null, reason?: string, observe: (usage: unknown) => void }} Rewritten `bytes`: null if
 *   nothing changes; `reason`: why the request is forwarded unchanged; `observe`: receives the usage report
 */

/** Maximum numbers in memory: conversations per price (others are restored from facts); system prompts with tools. */
const [MAX_CONVERSATIONS, MAX_PREFIXES] = [32, 32];
/** Models that OpenAI's older price list applies to. */
const OLDER_OPENAI = /^(?:gpt-3|gpt-4|o[134])/;
/** Prefix of Claude Code's first system part. It differs per process, and the provider removes it from the prompt. */
const BILLING = 'x-anthropic-billing-header';

/** Rewrites the requests of all conversations, and sums what they cost. */
export class Rewriter {
  #library = loadInternals().gateway;
  #options;
  #requestFacts;
  /** @type {Map<string, RequestBodies>} */ #bodiesByDialect = new Map();
  /** By dialect, price and whether the client sets breakpoints. @type {Map<string, Conversations>} */
  #conversations = new Map();
  /** @type {import('./splice.mjs').KnownEdits} */ #knownEdits = new WeakMap();
  /** Those of the newest requests. @type {(FixedPrefix & { dialect: string, values: unknown[] })[]} */ #prefixes = [];
  /** In a dry run, the cost of the requests, computed from the provider's reports. */ #paid = 0;

  /** @param {RewriterOptions} options */
  constructor(options) {
    this.#options = options;
    this.#requestFacts = new RequestFacts(options);
  }

  /** Cost of all requests, and cost with the history unmodified, in input-token equivalents. */
  ledger() {
    const ledgers = [...this.#conversations.values()].map((conversations) => conversations.ledger());
    const cost = ledgers.reduce((sum, ledger) => sum + ledger.cost, 0);
    const costLeftAlone = ledgers.reduce((sum, ledger) => sum + ledger.costLeftAlone, 0);
    if (!this.#options.isDry || this.#paid === 0) return { cost, costLeftAlone };
    // Nothing was removed, so the view's figures are estimates: scale them to what the provider reported.
    const share = costLeftAlone > 0 ? cost / costLeftAlone : 1;
    return { cost: this.#paid * share, costLeftAlone: this.#paid };
  }

  /**
   * @param {Api} api @param {{ path: string, headers: import('node:http').IncomingHttpHeaders, bytes: Buffer }} request
   * @returns {Promise<Rewritten>}
   */
  async rewrite(api, { path, headers, bytes }) {
    const unmodified = { bytes: null, observe: () => {} };
    if (!this.#options.settings.enabled) return unmodified;
    const { name, messagesField } = api;
    const bodies = this.#bodiesByDialect.get(name) ?? new RequestBodies(messagesField);
    this.#bodiesByDialect.set(name, bodies);
    let body;
    try {
      body = bodies.read(bytes);
    } catch (error) {
      return { ...unmodified, reason: error instanceof SyntaxError ? 'not JSON' : 'a key came twice' };
    }
    if (body === undefined) return { ...unmodified, reason: 'without a list of messages' };
    const { fields, messages } = body;
    if (lacksMessages(api, fields)) return { ...unmodified, reason: 'with messages that the provider keeps' };
    const beginning = String(this.#library.fingerprintOf(messages[this.#library.leadingSystem(messages)]));
    const id = conversationIdOf({ headers, fields, dialect: name, beginning });
    try {
      return await this.#rewriteBody(api, path, body, id);
    } catch {
      this.#requestFacts.recordUnmodified(id, messages);
      return { ...unmodified, reason: 'not understood' };
    }
  }

  /** @param {Api} api @param {string} path @param {RequestBody} body @param {string} id of the conversation */
  async #rewriteBody(api, path, body, id) {
    const { messages, fields, bytes } = body;
    const hasReminders = api.name === 'anthropic';
    let viewedLength = messages.length;
    // System messages at the end are reminders that the client moves with each request; the view doesn't see them.
    while (hasReminders && viewedLength > 1 && messages[viewedLength - 1]?.role === 'system') viewedLength--;
    const viewed = messages.slice(0, viewedLength);
    const prefix = this.#prefixOf(api, body);
    // Gemini puts the model's name into the path.
    const model = typeof fields.model === 'string' ? fields.model : (/\/models\/([^/:?]+)/.exec(path)?.[1] ?? '');
    const { conversations, cacheControl, price } = this.#conversationsFor(api, body, model);
    this.#requestFacts.recordEarlier(id, viewed);
    /** @type {Prepared} */ const prepared = await conversations.prepare(viewed, {
      request: id,
      model,
      fixedText: prefix.text,
      fixedBreakpoints: prefix.breakpoints,
      // Earlier requests, which the gateway may not have seen.
      countInherited: () => this.#library.requestLengths(viewed).length - 1,
    });
    this.#requestFacts.recordNewest(id, messages, viewedLength);
    if (this.#options.isDry) {
      const prices = new this.#library.Prices(price);
      const observe = (/** @type {unknown} */ usage) => {
        this.#paid += prices.cost(promptTokensOf(usage));
      };
      return { bytes: null, observe };
    }
    const sent = [...this.#withBreakpoints(prepared, body, cacheControl), ...messages.slice(viewedLength)];
    const edits = listEdits(bytes, body, messages, sent, this.#knownEdits);
    const observe = (/** @type {unknown} */ usage) => prepared.observe(usage);
    return { bytes: edits.length === 0 ? null : spliced(bytes, edits), observe };
  }

  /**
   * Adds breakpoints if a result was removed or is pending (outdated, and still sent), and the client sets some itself.
   * @param {Prepared} prepared @param {RequestBody} body @param {CacheControl | undefined} cacheControl
   */
  #withBreakpoints({ projected, breakpoints, isPending }, { fields, messages: stored }, cacheControl) {
    if (cacheControl === undefined) return projected;
    const { applicationBreakpoints, withBreakpoint, withBreakpoints } = this.#library;
    const existing = applicationBreakpoints(fields, projected);
    const isUnmodified = projected.every((message, at) => message === stored[at]);
    if (!existing.some(({ index }) => index >= 0) || (isUnmodified && !isPending)) return projected;
    const indices = breakpoints.filter((at) => at < projected.length - 1 && projected[at]?.role !== 'system');
    return withBreakpoints(projected, { indices, existing, cacheControl, withBreakpoint });
  }

  /** @param {Api} api @param {RequestBody} body @returns {FixedPrefix} */
  #prefixOf({ name: dialect, prefixFields }, { fields }) {
    // Fields with the same bytes as in an earlier request have the same values.
    const values = prefixFields.map((field) => fields[field]);
    const known = this.#prefixes.find(
      (prefix) => prefix.dialect === dialect && prefix.values.every((value, at) => value === values[at]),
    );
    if (known !== undefined) return known;
    const { fixedText: text, fixedBreakpoints: breakpoints } =
      dialect === 'anthropic'
        ? this.#library.fixedPrefixOf(withoutBilling(fields))
        : { fixedText: JSON.stringify(values), fixedBreakpoints: 0 };
    const prefix = { text, breakpoints, dialect, values };
    this.#prefixes = [...this.#prefixes.slice(1 - MAX_PREFIXES), prefix];
    return prefix;
  }

  /** Those with the request's price. @param {Api} api @param {RequestBody} body @param {string} model */
  #conversationsFor({ name: dialect }, { fields, messages }, model) {
    const existing = dialect === 'anthropic' ? this.#library.applicationBreakpoints(fields, messages) : [];
    const isHour = existing.some(({ index, isHour }) => index >= 0 && isHour);
    /** @type {CacheControl | undefined} */
    const cacheControl = existing.length === 0 ? undefined : { type: 'ephemeral', ...(isHour && { ttl: '1h' }) };
    const price = this.#options.settings.price ?? this.#priceOf(dialect, model, cacheControl);
    const key = JSON.stringify([dialect, price, cacheControl !== undefined]);
    const known = this.#conversations.get(key);
    if (known !== undefined) return { conversations: known, cacheControl, price };
    const conversations = new this.#library.Conversations({
      repeated: true,
      ...this.#options.settings.view,
      price,
      dialect,
      marks: cacheControl !== undefined,
      // Orphans, calls without results or results without calls, are the client's responsibility.
      orphans: false,
      maxViews: MAX_CONVERSATIONS,
      store: this.#options.viewFacts,
      conversationId: (/** @type {unknown} */ id) => id,
    });
    this.#conversations.set(key, conversations);
    return { conversations, cacheControl, price };
  }

  /** @param {string} dialect @param {string} model @param {CacheControl | undefined} cacheControl */
  #priceOf(dialect, model, cacheControl) {
    // Without client breakpoints Anthropic caches nothing.
    if (dialect === 'anthropic' && cacheControl === undefined) return 'none';
    if (dialect === 'anthropic') return cacheControl?.ttl === '1h' ? 'anthropic-1h' : 'anthropic';
    if (OLDER_OPENAI.test(model)) return 'openai-older';
    return this.#library.priceOf({ id: model, api: dialect }, false).preset;
  }
}

/** @param {Record<string, any>} fields @returns {any} */
function withoutBilling({ system, ...fields }) {
  if (!Array.isArray(system)) return { system, ...fields };
  return { ...fields, system: system.filter(({ text }) => !String(text).startsWith(BILLING)) };
}
