// @ts-check
'use strict';

const { badState } = require('../errors.js');
const { fingerprintOf } = require('../messages/likeness.js');

/**
 * When a request was sent. It is the one whose first `length` messages end with the message of fingerprint `mark`.
 * `isUndecided`: it was sent without this view.
 * @typedef {{ type: 'request', length: number, mark: number | null, sentMs: number, isUndecided?: boolean }} RequestFact
 *
 * A summary that takes the place of messages: the length of the system prompt, the fingerprints of the messages up to the last one that it
 * replaces, what is sent instead, and how many summaries its writer knew.
 * @typedef {{ type: 'summary', system: number, after?: number, messages: (number | null)[], head: import('../compression/compressed-head.js').Kept[] }} SummaryFact
 *
 * @typedef {RequestFact | SummaryFact} Fact
 */

/**
 * What a view knows beside the messages and its options. Facts are only added. They decide nothing else than when a request was sent,
 * where messages have no times, and which summary replaces which messages.
 */
class Facts {
  /** @type {Fact[]} */ #list = [];
  /** @type {SummaryFact[]} */ #summaries = [];
  /** First and last time of each request, by length and mark. @type {Map<string, { first: number, last: number }>} */
  #times = new Map();

  /** Requests that were sent without this view. @type {Set<string>} */ #undecided = new Set();

  /** @returns {readonly Fact[]} the oldest first */
  get list() {
    return this.#list;
  }

  /**
   * Summaries, those of most messages first. Of two that replace the same messages the one comes first that was written after the other
   * was known; where two processes wrote at once, the older one, in each process.
   * @returns {readonly SummaryFact[]}
   */
  get summaries() {
    return this.#summaries;
  }

  /** @param {Fact} fact */
  add(fact) {
    this.#list.push(fact);
    if (fact.type === 'summary') {
      this.#summaries.push(fact);
      this.#summaries.sort(
        (one, other) => other.messages.length - one.messages.length || (other.after ?? 0) - (one.after ?? 0),
      );
      return;
    }
    const key = `${fact.length} ${fact.mark}`;
    if (fact.isUndecided) this.#undecided.add(key);
    const known = this.#times.get(key);
    if (known === undefined) this.#times.set(key, { first: fact.sentMs, last: fact.sentMs });
    else known.last = Math.max(known.last, fact.sentMs);
  }

  /** How many requests were sent without this view. */
  get undecided() {
    return this.#undecided.size;
  }

  /** Whether the request of the first `end` messages was sent without this view. @param {readonly any[]} messages @param {number} end */
  isUndecided(messages, end) {
    return this.#undecided.size > 0 && this.#undecided.has(`${end} ${fingerprintOf(messages[end - 1])}`);
  }

  /** @param {string} text a fact from a store @param {number} atMs when it was written; ignored where it is none */
  take(text, atMs) {
    try {
      const fact = { sentMs: atMs, ...JSON.parse(text) };
      if (isFact(fact)) this.add(fact);
    } catch {
      // Somebody else has written it.
    }
  }

  /**
   * When the request of the first `end` messages was sent first and last; NaN where nobody knows.
   * @param {readonly any[]} messages
   * @param {number} end
   */
  timesOf(messages, end) {
    if (this.#times.size === 0) return { first: Number.NaN, last: Number.NaN };
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
    return Number.isSafeInteger(fact.length) && fact.length >= 0 && isMark(fact.mark) && Number.isFinite(fact.sentMs);
  }
  const isCount = (/** @type {unknown} */ count) => Number.isSafeInteger(count) && Number(count) >= 0;
  const isSystem = isCount(fact.system) && (fact.after === undefined || isCount(fact.after));
  return (
    fact.type === 'summary' &&
    isSystem &&
    Array.isArray(fact.messages) &&
    fact.messages.every(isMark) &&
    fact.system <= fact.messages.length &&
    Array.isArray(fact.head) &&
    fact.head.every(
      (/** @type {unknown} */ kept) => typeof kept === 'number' || (kept !== null && typeof kept === 'object'),
    )
  );
}

/** @param {unknown} mark */
function isMark(mark) {
  return mark === null || Number.isFinite(mark);
}

module.exports = { Facts, readFacts, requestFact };
