// @ts-check
'use strict';

const { badState } = require('../errors.js');
const { fingerprintOf } = require('../messages/likeness.js');

/**
 * When a request was sent. Its `length` messages end with one of fingerprint `mark`. `isUndecided`: it was sent without asking this view.
 * @typedef {{ type: 'request', length: number, mark: number | null, sentMs: number, isUndecided?: boolean }} RequestFact
 *
 * A summary that replaces messages. `system`: length of the system prompt; `messages`: fingerprints up to the last replaced message; `head`:
 * what is sent instead; `after`: count of summaries that its writer knew.
 * @typedef {{ type: 'summary', system: number, after?: number, messages: (number | null)[], head: import('../compression/compressed-head.js').Kept[] }} SummaryFact
 *
 * @typedef {RequestFact | SummaryFact} Fact
 */

/**
 * Knowledge of a view in addition to messages and options. Facts are only added. They determine only when a request was sent, if messages
 * have no times, and which summary replaces which messages.
 */
class Facts {
  /** First and last time of each request, keyed by length and fingerprint. @type {Map<string, { first: number, last: number }>} */
  #times = new Map();
  /** Lengths of these requests, so that messages of other lengths need no fingerprint. @type {Set<number>} */ #lengths =
    new Set();
  /** Requests that were sent without asking this view. @type {Set<string>} */ #undecided = new Set();

  constructor() {
    /** Oldest first. @type {Fact[]} */ this.list = [];
    /**
     * Sorted: summaries that replace most messages first. If two replace the same messages, the one whose writer knew more summaries comes first; if two
     * processes wrote at once, the older one, in every process.
     * @type {SummaryFact[]}
     */
    this.summaries = [];
  }

  /** @param {Fact} fact */
  add(fact) {
    this.list.push(fact);
    if (fact.type === 'summary') {
      this.summaries.push(fact);
      this.summaries.sort(
        (one, other) => other.messages.length - one.messages.length || (other.after ?? 0) - (one.after ?? 0),
      );
      return;
    }
    this.#lengths.add(fact.length);
    const key = `${fact.length} ${fact.mark}`;
    if (fact.isUndecided) this.#undecided.add(key);
    const known = this.#times.get(key);
    if (known === undefined) this.#times.set(key, { first: fact.sentMs, last: fact.sentMs });
    else known.last = Math.max(known.last, fact.sentMs);
  }

  /** Count of requests that were sent without asking this view. */
  get undecided() {
    return this.#undecided.size;
  }

  /** True if the request of the first `end` messages was sent without asking this view. @param {readonly any[]} messages @param {number} end */
  isUndecided(messages, end) {
    if (this.#undecided.size === 0 || !this.#lengths.has(end)) return false;
    return this.#undecided.has(`${end} ${fingerprintOf(messages[end - 1])}`);
  }

  /** @param {string} text a fact from a store, ignored if invalid @param {number} atMs when it was written */
  take(text, atMs) {
    try {
      const fact = { sentMs: atMs, ...JSON.parse(text) };
      if (isFact(fact)) this.add(fact);
    } catch {
      // Written by other software.
    }
  }

  /**
   * When the request of the first `end` messages was first and last sent; NaN if unknown.
   * @param {readonly any[]} messages
   * @param {number} end
   */
  timesOf(messages, end) {
    if (!this.#lengths.has(end)) return { first: Number.NaN, last: Number.NaN };
    return this.#times.get(`${end} ${fingerprintOf(messages[end - 1])}`) ?? { first: Number.NaN, last: Number.NaN };
  }
}

/** @param {readonly any[]} messages @param {number} sentMs @returns {RequestFact} */
function requestFact(messages, sentMs) {
  return { type: 'request', length: messages.length, mark: fingerprintOf(messages.at(-1)), sentMs };
}

/**
 * @param {unknown} given what `export()` gave, or its JSON
 * @returns {Fact[]}
 * @throws RangeError for anything else
 */
function readFacts(given) {
  let list = given;
  try {
    if (typeof given === 'string') list = JSON.parse(given);
  } catch (error) {
    throw badState('what export() gave', 'no JSON', error);
  }
  if (!Array.isArray(list)) throw badState('what export() gave, a list of facts', typeof list);
  const wrong = list.findIndex((fact) => !isFact(fact));
  if (wrong >= 0) throw badState('what export() gave', `something else in place of fact ${wrong}`);
  return list;
}

/** @param {any} fact @returns {fact is Fact} */
function isFact(fact) {
  if (fact === null || typeof fact !== 'object') return false;
  if (fact.type === 'request') {
    return (
      Number.isSafeInteger(fact.length) && fact.length >= 0 && isFingerprint(fact.mark) && Number.isFinite(fact.sentMs)
    );
  }
  const isCount = (/** @type {unknown} */ count) => Number.isSafeInteger(count) && Number(count) >= 0;
  const isSystem = isCount(fact.system) && (fact.after === undefined || isCount(fact.after));
  return (
    fact.type === 'summary' &&
    isSystem &&
    Array.isArray(fact.messages) &&
    fact.messages.every(isFingerprint) &&
    fact.system <= fact.messages.length &&
    Array.isArray(fact.head) &&
    fact.head.every(
      (/** @type {unknown} */ kept) => typeof kept === 'number' || (kept !== null && typeof kept === 'object'),
    )
  );
}

/** @param {unknown} value */
function isFingerprint(value) {
  return value === null || Number.isFinite(value);
}

module.exports = { Facts, readFacts, requestFact };
