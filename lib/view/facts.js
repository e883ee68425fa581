// @ts-check
'use strict';

const { badState } = require('../errors.js');
const { fingerprintOf } = require('../messages/likeness.js');
const { isObject, safely } = require('../plain-data.js');

/**
 * When a request was sent. `length`: count of its messages; `mark`: fingerprint of the last one; `isUndecided`: it was sent without asking
 * this view, such as after an adapter failed (an *undecided* request).
 * @typedef {{ type: 'request', length: number, mark: number | null, sentMs: number, isUndecided?: boolean }} RequestFact
 *
 * A summary that replaces messages. `system`: count of messages of the system prompt; `after`: count of summaries that its writer knew;
 * `messages`: fingerprints of all messages up to the last replaced one; `head`: what is sent instead.
 * @typedef {{ type: 'summary', system: number, after?: number, messages: (number | null)[],
 *   head: import('../compression/compressed-head.js').Exported[] }} SummaryFact
 * @typedef {RequestFact | SummaryFact} Fact
 */

/** What a view knows in addition to messages and options: when requests were sent, and which summary replaces which messages. Facts are only added. */
class Facts {
  /** First and last time of each request, keyed by length and fingerprint. @type {Map<string, { first: number, last: number }>} */
  #times = new Map();
  /** Their lengths: messages of other lengths need no fingerprint. @type {Set<number>} */ #lengths = new Set();
  /** Keys of the undecided requests. @type {Set<string>} */ #undecided = new Set();
  /** Facts from a store, as JSON. @type {Set<string>} */ #stored = new Set();

  constructor() {
    /** Oldest first. @type {Fact[]} */ this.list = [];
    // If two processes wrote at once, the one added first comes first: the sort is stable, and all processes read a store in the same order.
    /** Those that replace most messages first; of the same messages, those whose writer knew more summaries. @type {SummaryFact[]} */
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

  get undecidedCount() {
    return this.#undecided.size;
  }

  /** True if the request of the first `end` messages is undecided. @param {readonly any[]} messages @param {number} end */
  isUndecided(messages, end) {
    return this.#undecided.size > 0 && this.#lengths.has(end) && this.#undecided.has(keyOf(messages, end));
  }

  /** Adds a fact from a store, once; ignored if invalid. @param {string} text @param {number} atMs when it was written */
  addStored(text, atMs) {
    if (this.#stored.has(text)) return;
    this.#stored.add(text);
    // Other software may have written it.
    const fact = safely(() => ({ sentMs: atMs, ...JSON.parse(text) }));
    if (isFact(fact)) this.add(fact);
  }

  /** When the request of the first `end` messages was first and last sent; NaN if unknown. @param {readonly any[]} messages @param {number} end */
  timesOf(messages, end) {
    const known = this.#lengths.has(end) ? this.#times.get(keyOf(messages, end)) : undefined;
    return known ?? { first: Number.NaN, last: Number.NaN };
  }
}

/** The key of the request of the first `end` messages. @param {readonly any[]} messages @param {number} end */
const keyOf = (messages, end) => `${end} ${fingerprintOf(messages[end - 1])}`;

/** The fact that a request was sent. @param {readonly any[]} messages @param {number} sentMs @returns {RequestFact} */
function requestFact(messages, sentMs) {
  return { type: 'request', length: messages.length, mark: fingerprintOf(messages.at(-1)), sentMs };
}

/** Reads what `export()` returned, or its JSON. @param {unknown} given @returns {Fact[]} @throws RangeError for anything else */
function readFacts(given) {
  let list = given;
  try {
    if (typeof given === 'string') list = JSON.parse(given);
  } catch (error) {
    throw badState('what export() gave', 'no JSON', error);
  }
  if (!Array.isArray(list)) throw badState('what export() gave, a list of facts', typeof list);
  const invalidIndex = list.findIndex((fact) => !isFact(fact));
  if (invalidIndex >= 0) throw badState('what export() gave', `something else in place of fact ${invalidIndex}`);
  return list;
}

/** @param {any} fact @returns {fact is Fact} */
function isFact(fact) {
  if (!isObject(fact)) return false;
  if (fact.type === 'request') return isCount(fact.length) && isFingerprint(fact.mark) && Number.isFinite(fact.sentMs);
  if (fact.type !== 'summary' || !isCount(fact.system)) return false;
  const { system, after, messages, head } = fact;
  const isMessageList = Array.isArray(messages) && messages.every(isFingerprint) && system <= messages.length;
  const isHead = Array.isArray(head) && head.every((one) => typeof one === 'number' || isObject(one));
  return isMessageList && isHead && (after === undefined || isCount(after));
}

const isCount = (/** @type {unknown} */ value) => Number.isSafeInteger(value) && Number(value) >= 0;
const isFingerprint = (/** @type {unknown} */ value) => value === null || Number.isFinite(value);

module.exports = { Facts, readFacts, requestFact };
