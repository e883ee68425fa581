// @ts-check
'use strict';

const { Prices } = require('../../cache/prices.js');
const { Conversations } = require('../conversations.js');

/** After this time the agent sends its request without waiting for the view. */ const TIMEOUT_MS = 50;
/** How many cache breakpoints agents set before all messages: on the system prompt and on the tools. */ const FIXED_BREAKPOINTS = 2;
/** The agents' estimate for texts that no provider has counted. */ const CHARACTERS_PER_TOKEN = 4;

/** Tokens, by the agents' estimate. @param {number} characters */
const tokensIn = (characters) => Math.round(characters / CHARACTERS_PER_TOKEN);

/** The text of an error for the user. @param {unknown} error */
const reasonOf = (error) => (error instanceof Error ? error.message : String(error));

/**
 * The result of `work`, or of `expire` if `work` still waits for something after `maxMs`. A long synchronous computation doesn't time out.
 * @template T @param {Promise<T>} work @param {number} maxMs @param {() => T} expire @returns {Promise<T>}
 */
async function withTimeout(work, maxMs, expire) {
  /** @type {NodeJS.Timeout | undefined} */ let timer;
  const timeout = new Promise((resolve) => {
    timer = setTimeout(resolve, maxMs);
  });
  try {
    return await Promise.race([work, timeout.then(expire)]);
  } finally {
    clearTimeout(timer);
  }
}

const percent = (/** @type {number} */ share) => `${Math.round(share * 100)} %`;

/**
 * How an agent's messages (or their parts) hold the *body* that a view replaces. `idOf`: undefined if it is never replaced; `withBody` makes a copy.
 * @typedef {{ idOf: (message: any) => string | undefined, bodyOf: (message: any) => unknown, withBody: (message: any, body: any) => any }} Form
 * @typedef {import('./settings.js').Model} Model
 */

/** A session of a coding agent at the prices of one model: its requests are prepared within a time limit. */
class ViewedSession {
  /** The newest request prepared by a view. @type {{ observe(usage: unknown): void } | null} */ #request = null;
  /** Estimated tokens removed from requests; null before the first. @type {number | null} */ removedTokens = null;

  /**
   * @param {string} key of the session's id or model, and its prices @param {Record<string, unknown>} options of the views
   * @param {LastProjection} lastProjection @param {any[][]} undecided requests, sent while views failed; removed when a view has recorded them
   */
  constructor(key, options, lastProjection, undecided) {
    this.key = key;
    this.conversations = new Conversations(options);
    this.lastProjection = lastProjection;
    this.undecided = undecided;
  }

  get view() {
    return [...this.conversations.views].at(-1);
  }

  /** @param {readonly any[]} messages @param {boolean} setsBreakpoints @param {import('../conversations.js').RequestDetails} details */
  prepare(messages, setsBreakpoints, details) {
    this.#request = null;
    return withTimeout(this.#prepare(messages, setsBreakpoints, details), TIMEOUT_MS, () => {
      throw new Error(`no answer within ${TIMEOUT_MS} ms`);
    });
  }

  /** @param {readonly any[]} messages @param {boolean} setsBreakpoints @param {import('../conversations.js').RequestDetails} details */
  async #prepare(messages, setsBreakpoints, details) {
    for (const earlier of this.undecided.splice(0)) this.conversations.recordUndecided(earlier);
    const last = messages.at(-1);
    if (!setsBreakpoints || last === undefined) return this.conversations.prepare(messages, details);
    // The agent sets a breakpoint on its newest message after our hook. The price of a removal depends on it, so the view is shown one.
    const newest = { ...last, cache_control: { type: 'ephemeral' } };
    const asSent = [...messages.slice(0, -1), newest];
    const request = await this.conversations.prepare(asSent, { ...details, fixedBreakpoints: FIXED_BREAKPOINTS });
    request.messages = request.messages.map((/** @type {any} */ message) => (message === newest ? last : message));
    return request;
  }

  /**
   * Records a prepared request that is sent; one that was prepared too late isn't. @param {{ observe(usage: unknown): void }} request
   * @param {readonly any[]} stored messages, or their parts @param {readonly any[]} sent @param {(changed: Record<string, unknown>) => void} save
   */
  record(request, stored, sent, save) {
    this.#request = request;
    const changed = this.lastProjection.note(stored, sent);
    if (changed !== null) save(changed);
    if (changed !== null || this.removedTokens === null) this.removedTokens = this.lastProjection.removedTokens(stored);
  }

  /** @param {unknown} usage of the newest request */
  observe(usage) {
    this.#request?.observe(usage);
  }

  /** One line, which docs/agents.md shows; undefined before the first request. @param {Model | undefined} model in use @param {unknown} price */
  statusText(model, price) {
    const { view } = this;
    if (view === undefined) return undefined;
    const { cost, costLeftAlone } = view.ledger();
    const { totalTokens } = view.plan();
    const window = model?.contextWindow;
    const share = window === undefined ? `${totalTokens} tokens` : `${percent(totalTokens / window)} of window`;
    // Negative if requests cost more than with the unmodified history.
    const saved = percent(costLeftAlone > 0 ? 1 - cost / costLeftAlone : 0);
    const dollarsPerMillion = model?.cost?.input ?? 0;
    const dollars = (((costLeftAlone - cost) * dollarsPerMillion) / 1e6).toFixed(2);
    const cachedUntil = new Date(Date.now() + new Prices(price).ttlMs).toTimeString().slice(0, 5);
    return `palimpsest: ${share} · saved ${saved}${dollarsPerMillion > 0 ? ` ($${dollars})` : ''} · cached until ${cachedUntil}`;
  }

  /** The status line, and three lines with figures. @param {Model | undefined} model @param {unknown} price */
  summaryText(model, price) {
    const { view } = this;
    if (view === undefined) return undefined;
    const ledger = view.ledger();
    const { pending, isDue } = view.plan();
    const pendingTokens = pending.reduce((sum, { tokensSaved }) => sum + tokensSaved, 0);
    return [
      this.statusText(model, price),
      `removed: ${ledger.results} results, ${Math.round(ledger.tokensSaved)} tokens, in ${ledger.changes} changes of the prompt`,
      `pending: ${pending.length} outdated results, ${Math.round(pendingTokens)} tokens; ${isDue ? 'the next request removes them' : 'removing them now would cost more'}`,
      `cost: ${Math.round(ledger.cost)} tokens at the price of input; unmodified history: ${Math.round(ledger.costLeftAlone)}`,
    ].join('\n');
  }
}

/**
 * The replacements in the last request, so that an agent can send them again if a view fails. Sending the stored history
 * instead would lose the prompt cache twice: with that request and with the next one. Holds only ids and bodies.
 */
class LastProjection {
  #form;
  /** Replacement bodies, keyed by message id. @type {Map<string, unknown>} */ #bodies = new Map();

  /** @param {Form} form */
  constructor(form) {
    this.#form = form;
  }

  /**
   * Records a request. O(messages). @param {readonly any[]} messages @param {readonly any[]} sent unchanged ones are the same objects
   * @returns {Record<string, unknown> | null} bodies that differ from the last request's, keyed by id; null for one that is no longer replaced.
   *   Null if none differs.
   */
  note(messages, sent) {
    const stored = new Set(messages);
    const previousBodies = this.#bodies;
    this.#bodies = new Map();
    for (const message of sent) {
      const id = stored.has(message) ? undefined : this.#form.idOf(message);
      if (id !== undefined) this.#bodies.set(id, this.#form.bodyOf(message));
    }
    const ids = new Set([...previousBodies.keys(), ...this.#bodies.keys()]);
    const changed = [...ids].filter((id) => !isSame(previousBodies.get(id), this.#bodies.get(id)));
    if (changed.length === 0) return null;
    return Object.fromEntries(changed.map((id) => [id, this.#bodies.get(id) ?? null]));
  }

  /** How many tokens the replacements save, by the agents' estimate of the JSON. @param {readonly any[]} messages */
  removedTokens(messages) {
    const lengthOf = (/** @type {unknown} */ body) => JSON.stringify(body ?? '').length;
    let length = 0;
    for (const message of messages) {
      const body = this.#bodies.get(this.#form.idOf(message) ?? '');
      if (body !== undefined) length += lengthOf(this.#form.bodyOf(message)) - lengthOf(body);
    }
    return tokensIn(length);
  }

  /** @param {Record<string, unknown>} changed what `note` returned, in this or another process */
  applyChanges(changed) {
    for (const [id, body] of Object.entries(changed)) {
      if (body === null) this.#bodies.delete(id);
      else this.#bodies.set(id, body);
    }
  }

  /** The messages with the last request's replacements, for a request during which a view failed. @param {readonly any[]} messages @returns {any[]} */
  applyTo(messages) {
    return messages.map((message) => {
      const body = this.#bodies.get(this.#form.idOf(message) ?? '');
      return body === undefined ? message : this.#form.withBody(message, body);
    });
  }
}

/** @param {unknown} a @param {unknown} b */
const isSame = (a, b) => a === b || JSON.stringify(a) === JSON.stringify(b);

module.exports = { LastProjection, reasonOf, tokensIn, ViewedSession, withTimeout };
