// @ts-check
'use strict';

/** How a coding agent's request is prepared within a time limit, and what is sent if that fails. */

/** After this time the agent sends its request without waiting for the view. */
const TIMEOUT_MS = 50;
/** How many cache breakpoints agents set before all messages: on the system prompt and on the tools. */
const FIXED_BREAKPOINTS = 2;
const CACHE_CONTROL = Object.freeze({ type: 'ephemeral' });
/** The agents' estimate for texts that no provider has counted. */
const CHARACTERS_PER_TOKEN = 4;

/**
 * Prepares a request of an agent. If the agent sets a breakpoint on its newest message after our hook, the view is shown one there, because the
 * price of a removal depends on it.
 * @param {InstanceType<typeof import('../conversations.js').Conversations>} conversations
 * @param {readonly any[]} messages @param {object} agent
 * @param {any[][]} agent.undecided messages of undecided requests, sent while views failed; they are recorded, and removed from the list
 * @param {boolean} agent.setsBreakpoints @param {import('../conversations.js').RequestDetails} details
 */
async function prepareRequest(conversations, messages, { undecided, setsBreakpoints }, details) {
  for (const earlier of undecided.splice(0)) conversations.recordUndecided(earlier);
  const last = messages.at(-1);
  if (!setsBreakpoints || last === undefined) return conversations.prepare(messages, details);
  const newest = { ...last, cache_control: CACHE_CONTROL };
  const asSent = [...messages.slice(0, -1), newest];
  const request = await conversations.prepare(asSent, { ...details, fixedBreakpoints: FIXED_BREAKPOINTS });
  request.messages = request.messages.map((/** @type {any} */ message) => (message === newest ? last : message));
  return request;
}

/**
 * The result of `work`; an error if it still waits for something after `TIMEOUT_MS`. A long synchronous computation doesn't time out.
 * @template T @param {Promise<T>} work @returns {Promise<T>}
 */
async function withTimeout(work) {
  /** @type {NodeJS.Timeout | undefined} */ let timer;
  /** @type {Promise<never>} */ const timeout = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${TIMEOUT_MS} ms`)), TIMEOUT_MS);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/** @param {number} characters @returns {number} tokens, by the agents' estimate */
const tokensIn = (characters) => Math.round(characters / CHARACTERS_PER_TOKEN);

/** The text of an error for the user. @param {unknown} error */
const reasonOf = (error) => (error instanceof Error ? error.message : String(error));

/**
 * @typedef {object} Form how an agent's messages (or their parts) hold the *body* that a view replaces
 * @property {(message: any) => string | undefined} idOf undefined if it is never replaced
 * @property {(message: any) => unknown} bodyOf
 * @property {(message: any, body: any) => any} withBody a copy with another body
 */

/**
 * The replacements in the last request, so that an agent can send them again if a view fails. Sending the stored history instead would lose the
 * prompt cache twice: with that request and with the next one. Holds only ids and bodies.
 */
class LastProjection {
  #form;
  /** Replacement bodies, keyed by message id. @type {Map<string, unknown>} */ #bodies = new Map();

  /** @param {Form} form */
  constructor(form) {
    this.#form = form;
  }

  /**
   * Records a request. O(messages).
   * @param {readonly any[]} messages all messages @param {readonly any[]} sent unchanged ones are the same objects
   * @returns {Record<string, unknown> | null} replacement bodies that differ from the last request's, keyed by id; a
   *   body that is no longer replaced is null. Null if none differs.
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
function isSame(a, b) {
  return a === b || (typeof a === 'object' && typeof b === 'object' && JSON.stringify(a) === JSON.stringify(b));
}

module.exports = { LastProjection, prepareRequest, reasonOf, tokensIn, withTimeout };
