// @ts-check
/**
 * Rewrites a request: replaces outdated results in its messages, and adds cache breakpoints. Its decisions depend on facts: when earlier
 * requests were sent, and which ones.
 */
import { loadInternals } from '../library.mjs';
import { conversationIdOf } from './conversation-name.mjs';
import { isStoredByProvider } from './dialects.mjs';
import { RequestBodies } from './request-body.mjs';
import { listEdits, spliced } from './splice.mjs';
import { promptTokensOf } from './usage.mjs';

/**
 * @typedef {import('./dialects.mjs').Dialect} Dialect
 * @typedef {import('./request-body.mjs').RequestBody} RequestBody
 * @typedef {InstanceType<typeof import('../../lib/adapters/gateway.js')['Conversations']>} Conversations
 * @typedef {{ observe(usage: unknown): void, projected: any[], breakpoints: number[], isPending: boolean }} Prepared
 * @typedef {{ type: 'ephemeral', ttl?: '1h' }} CacheControl
 * @typedef {{ text: string, breakpoints: number }} FixedPrefix system prompt and tools, and their number of breakpoints
 *
 * @typedef {object} Rewritten
 * @property {Buffer | null} bytes null if nothing changes
 * @property {string} [reason] why the request is forwarded unchanged
 * @property {(usage: unknown) => void} observe receives the provider's usage report
 */

/** Maximum number of conversations per price in memory; others are restored from facts. */
const MAX_CONVERSATIONS = 32;
/** A repeated request is recorded again only after this time: until then the provider's cache keeps the prompt anyway. */
const RECORD_AGAIN_MS = 60_000;
/** Models that OpenAI's older price list applies to. */
const OLDER_OPENAI = /^(?:gpt-3|gpt-4|o[134])/;
/** Prefix of Claude Code's first system part. It differs per process, and the provider removes it from the prompt. */
const BILLING = 'x-anthropic-billing-header';

/** Rewrites the requests of all conversations, and sums what they cost. */
export class Rewriter {
  #library = loadInternals().gateway;
  #settings;
  #store;
  #records;
  #isDry;
  #clock;
  /** @type {Map<string, RequestBodies>} */ #bodiesByDialect = new Map();
  /** By dialect, price and breakpoints. @type {Map<string, Conversations>} */ #conversations = new Map();
  /** By conversation id, its newest request. @type {Map<string, { key: string, atMs: number }>} */ #newest = new Map();
  /** @type {import('./splice.mjs').KnownEdits} */ #edits = new WeakMap();
  /** Fields before the messages, of the newest requests. @type {(FixedPrefix & { name: string, values: unknown[] })[]} */
  #prefixes = [];
  /** In a dry run, the cost of the requests, computed from the provider's reports. */ #paid = 0;

  /**
   * @param {object} options
   * @param {ReturnType<typeof import('../../lib/adapters/gateway.js')['readSettings']>} options.settings
   * @param {import('./fact-files.mjs').FactFiles} options.records facts about what was sent
   * @param {import('./fact-files.mjs').FactFiles} options.store the views' facts; in a dry run these are not about what was sent
   * @param {boolean} options.isDry
   * @param {() => number} [options.clock] in ms
   */
  constructor({ settings, records, store, isDry, clock = Date.now }) {
    this.#settings = settings;
    this.#records = records;
    this.#store = store;
    this.#isDry = isDry;
    this.#clock = clock;
  }

  /** Cost of all requests, and cost with the history unmodified, in input-token equivalents. */
  ledger() {
    const all = [...this.#conversations.values()].map((conversations) => conversations.ledger());
    const sum = (/** @type {'cost' | 'costLeftAlone' | 'requests'} */ figure) =>
      all.reduce((total, ledger) => total + ledger[figure], 0);
    const figures = { requests: sum('requests'), cost: sum('cost'), costLeftAlone: sum('costLeftAlone') };
    if (!this.#isDry || this.#paid === 0) return figures;
    // Nothing was removed, so the view's figures are estimates: scale them to what the provider reported.
    const share = figures.costLeftAlone > 0 ? figures.cost / figures.costLeftAlone : 1;
    return { ...figures, cost: this.#paid * share, costLeftAlone: this.#paid };
  }

  /**
   * @param {Dialect} dialect
   * @param {{ path: string, headers: import('node:http').IncomingHttpHeaders, bytes: Buffer }} request
   * @returns {Promise<Rewritten>}
   */
  async rewrite(dialect, { path, headers, bytes }) {
    const unmodified = { bytes: null, observe: () => {} };
    if (!this.#settings.enabled) return unmodified;
    let body;
    try {
      body = this.#bodiesOf(dialect).read(bytes);
    } catch (error) {
      return { ...unmodified, reason: error instanceof SyntaxError ? 'not JSON' : 'a key came twice' };
    }
    if (body === undefined) return { ...unmodified, reason: 'without a list of messages' };
    if (isStoredByProvider(dialect, body.fields))
      return { ...unmodified, reason: 'with messages that the provider keeps' };
    const id = this.#conversationIdOf(dialect, headers, body);
    try {
      return await this.#project(dialect, path, body, id);
    } catch {
      // Record that the request is sent unmodified.
      this.#record(this.#records, id, body.messages, true);
      return { ...unmodified, reason: 'not understood' };
    }
  }

  /** @param {Dialect} dialect */
  #bodiesOf({ name, list }) {
    const bodies = this.#bodiesByDialect.get(name) ?? new RequestBodies(list);
    this.#bodiesByDialect.set(name, bodies);
    return bodies;
  }

  /** @param {Dialect} dialect @param {import('node:http').IncomingHttpHeaders} headers @param {RequestBody} body */
  #conversationIdOf({ name }, headers, { fields, messages }) {
    const first = messages[this.#library.leadingSystem(messages)];
    const beginning = String(this.#library.fingerprintOf(first));
    return conversationIdOf({ headers, fields, dialect: name, beginning });
  }

  /**
   * @param {Dialect} dialect @param {string} path @param {RequestBody} body @param {string} id of the conversation
   * @returns {Promise<Rewritten>}
   */
  async #project(dialect, path, body, id) {
    const { messages } = body;
    // System messages at the end are reminders that the client moves with each request.
    const length = dialect.name === 'anthropic' ? lengthWithoutReminders(messages) : messages.length;
    const given = messages.slice(0, length);
    const prefix = this.#prefixOf(dialect, body);
    const model = modelOf(body.fields, path);
    const { conversations, cacheControl, price } = this.#conversationsFor(dialect, body, model);
    this.#recordEarlier(id, given);
    // Number of earlier requests, which the gateway may not have seen.
    const countInherited = () => this.#library.requestLengths(given).length - 1;
    /** @type {Prepared} */
    const prepared = await conversations.prepare(given, {
      request: id,
      model,
      fixedText: prefix.text,
      fixedBreakpoints: prefix.breakpoints,
      countInherited,
    });
    this.#recordOthers(id, messages, length);
    if (this.#isDry) return { bytes: null, observe: (usage) => this.#addCost(usage, price) };
    const sent = [...this.#withBreakpoints(prepared, body, cacheControl), ...messages.slice(length)];
    const { list, items, bytes } = body;
    const edits = listEdits(bytes, { span: list, items }, messages, sent, this.#edits);
    return { bytes: edits.length === 0 ? null : spliced(bytes, edits), observe: (usage) => prepared.observe(usage) };
  }

  /**
   * Adds breakpoints if a result is pending or was removed, and if the client sets breakpoints in messages itself.
   * @param {Prepared} prepared @param {RequestBody} body @param {CacheControl | undefined} cacheControl
   * @returns {any[]}
   */
  #withBreakpoints(prepared, { fields, messages: given }, cacheControl) {
    const { projected: messages, breakpoints } = prepared;
    if (cacheControl === undefined) return messages;
    const { applicationBreakpoints, withBreakpoint, withBreakpoints } = this.#library;
    const existing = applicationBreakpoints(fields, messages);
    const isUnmodified = messages.every((message, at) => message === given[at]);
    if (!existing.some(({ index }) => index >= 0) || (isUnmodified && !prepared.isPending)) return messages;
    const indices = breakpoints.filter((at) => at < messages.length - 1 && messages[at]?.role !== 'system');
    return withBreakpoints(messages, { indices, existing, cacheControl, withBreakpoint });
  }

  /** @param {Dialect} dialect @param {RequestBody} body @returns {FixedPrefix} */
  #prefixOf({ name, before }, { fields }) {
    const values = before.map((field) => fields[field]);
    const known = this.#prefixes.find(
      (one) => one.name === name && one.values.every((value, at) => value === values[at]),
    );
    if (known !== undefined) return known;
    const { fixedText: text, fixedBreakpoints: breakpoints } =
      name === 'anthropic'
        ? this.#library.fixedPrefixOf(withoutBilling(fields))
        : { fixedText: JSON.stringify(values), fixedBreakpoints: 0 };
    const found = { text, breakpoints, name, values };
    this.#prefixes = [...this.#prefixes.slice(1 - MAX_CONVERSATIONS), found];
    return found;
  }

  /**
   * Conversations with the same price. Without client breakpoints Anthropic caches nothing.
   * @param {Dialect} dialect @param {RequestBody} body @param {string} model
   */
  #conversationsFor({ name }, { fields, messages }, model) {
    const existing = name === 'anthropic' ? this.#library.applicationBreakpoints(fields, messages) : [];
    const isHour = existing.some(({ index, isHour }) => index >= 0 && isHour);
    /** @type {CacheControl | undefined} */
    const cacheControl = existing.length === 0 ? undefined : { type: 'ephemeral', ...(isHour && { ttl: '1h' }) };
    const price = this.#settings.price ?? this.#priceOf(name, model, cacheControl);
    const key = JSON.stringify([name, price, cacheControl !== undefined]);
    const known = this.#conversations.get(key);
    if (known !== undefined) return { conversations: known, cacheControl, price };
    const conversations = new this.#library.Conversations({
      repeated: true,
      ...this.#settings.view,
      price,
      dialect: name,
      marks: cacheControl !== undefined,
      // Orphans are the client's responsibility.
      orphans: false,
      maxViews: MAX_CONVERSATIONS,
      store: this.#store,
      conversationId: (/** @type {unknown} */ id) => id,
    });
    this.#conversations.set(key, conversations);
    return { conversations, cacheControl, price };
  }

  /** @param {unknown} usage @param {unknown} price */
  #addCost(usage, price) {
    this.#paid += new this.#library.Prices(price).cost(promptTokensOf(usage));
  }

  /** @param {string} dialect @param {string} model @param {CacheControl | undefined} cacheControl */
  #priceOf(dialect, model, cacheControl) {
    if (dialect === 'anthropic' && cacheControl === undefined) return 'none';
    if (dialect === 'anthropic') return cacheControl?.ttl === '1h' ? 'anthropic-1h' : 'anthropic';
    if (OLDER_OPENAI.test(model)) return 'openai-older';
    return this.#library.priceOf({ id: model, api: dialect }, false).preset;
  }

  /** Records that the conversation's requests before the gateway's first one were sent unmodified. @param {string} id @param {readonly any[]} messages */
  #recordEarlier(id, messages) {
    if (this.#newest.has(id)) return;
    for (const store of new Set([this.#store, this.#records])) {
      if (this.#factsIn(store, id) > 0) continue;
      for (const length of this.#library.requestLengths(messages).slice(0, -1)) {
        this.#record(store, id, messages.slice(0, length), true);
      }
    }
  }

  /** Number of facts; 1 if unreadable, so that none are written. @param {import('./fact-files.mjs').FactFiles} store @param {string} id */
  #factsIn(store, id) {
    try {
      return store.facts(id).length;
    } catch {
      return 1;
    }
  }

  /**
   * Records what the view does not: a reminder after the messages that it saw, and a repeated request.
   * @param {string} id @param {readonly any[]} messages @param {number} length number of messages that the view saw
   */
  #recordOthers(id, messages, length) {
    const [atMs, key] = [this.#clock(), `${messages.length} ${this.#library.fingerprintOf(messages.at(-1))}`];
    const before = this.#newest.get(id);
    const isRepeated = before?.key === key && atMs - before.atMs > RECORD_AGAIN_MS;
    if (isRepeated) this.#record(this.#store, id, messages.slice(0, length), false, atMs);
    if (length < messages.length) this.#record(this.#store, id, messages, false, atMs);
    // A dry run sends the request unmodified; record that for later runs.
    if (this.#isDry) this.#record(this.#records, id, messages, true);
    this.#newest.delete(id);
    this.#newest.set(id, { key, atMs });
    if (this.#newest.size > 1024) this.#newest.delete(/** @type {string} */ (this.#newest.keys().next().value));
  }

  /**
   * @param {import('./fact-files.mjs').FactFiles} store @param {string} id @param {readonly any[]} messages
   * @param {boolean} isUndecided true if sent unmodified @param {number} [again] time (ms), which distinguishes it from the same request sent before
   */
  #record(store, id, messages, isUndecided, again) {
    const fact = { type: 'request', length: messages.length, mark: this.#library.fingerprintOf(messages.at(-1)) };
    try {
      store.note(id, [JSON.stringify({ ...fact, ...(isUndecided && { isUndecided }), again })]);
    } catch {
      // Without the file, a restarted gateway assumes short pauses.
    }
  }
}

/** Number of messages, without system messages at the end. @param {readonly any[]} messages */
function lengthWithoutReminders(messages) {
  let length = messages.length;
  while (length > 1 && messages[length - 1]?.role === 'system') length--;
  return length;
}

/** @param {Record<string, any>} fields @returns {any} */
function withoutBilling({ system, ...fields }) {
  if (!Array.isArray(system)) return { system, ...fields };
  return { ...fields, system: system.filter(({ text }) => !String(text).startsWith(BILLING)) };
}

/** @param {Record<string, any>} fields @param {string} path Gemini puts the model name here */
function modelOf({ model }, path) {
  return typeof model === 'string' ? model : (/\/models\/([^/:?]+)/.exec(path)?.[1] ?? '');
}
