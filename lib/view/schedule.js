// @ts-check
'use strict';

const native = require('../native.js');

/** @see src/view_wire.rs */
const OUT_HEADER = 15;
const LOOK = 0;
const TAKE_UNLESS_CHANGED = 1;
const TAKE = 2;

/** @type {string[] | undefined} */
let reasons;
let inbox = new Float64Array(256);
let outbox = new Float64Array(256);

/**
 * When a request is sent.
 * @typedef {object} Moment
 * @property {number} now the clock that decisions go by
 * @property {number} elapsed time since the request before, as the messages say it; NaN where they don't
 * @property {number} sent when it is really sent; NaN for a request that is played again
 *
 * @typedef {object} Decided
 * @property {string} reason
 * @property {boolean} isTaken whether the request counts as sent
 * @property {number} totalTokens
 * @property {number} cachedTokens
 * @property {number} cost
 * @property {number} costLeftAlone
 * @property {number} tokensSaved
 * @property {number} extraCost
 * @property {number} gainPerRequest
 * @property {number} paysAfterRequests
 * @property {number} leftPending
 * @property {number} tokensLeftPending
 * @property {number} changes on this path, with those that are decided now
 * @property {number} number of the request on the bill
 * @property {number[]} positions of the messages to replace
 */

/** Collects what happened to a view's messages since the last decision, and asks the core's schedule for the next one. */
class Schedule {
  /** @param {unknown} options */
  constructor(options) {
    this.state = new native.CacheSchedule(options);
    /** How many messages there are. */
    this.messages = 0;
    /** What stands ahead of all messages, in tokens, and how many marks the host has set there. */
    this.fixed = 0;
    this.outside = 0;
    /** Marks that the host had set on messages, nobody knows on which. */
    this.elsewhere = 0;
    /** How many messages at the start are the system prompt. */
    this.system = 0;
    /** Prefixes that the host has marked, in messages. @type {readonly number[]} */
    this.hostMarks = [];
    this.#clear();
  }

  #clear() {
    /** Positions and tokens in turn. @type {number[]} */ this.changed = [];
    /** Tokens and blocks in turn. @type {number[]} */ this.pushed = [];
    /** @type {number[]} */ this.kept = [];
    /** @type {number[]} */ this.marked = [];
    /** @type {number[]} */ this.unmarked = [];
  }

  /** What would be done now, all news considered. @param {Moment} moment @returns {Decided} */
  plan(moment) {
    return this.#advance(moment, LOOK);
  }

  /** Takes the request as sent, unless something is to be replaced. @param {Moment} moment @returns {Decided} */
  begin(moment) {
    return this.#advance(moment, TAKE_UNLESS_CHANGED);
  }

  /** Takes the request as sent, with what is to be replaced. @param {Moment} moment @returns {Decided} */
  take(moment) {
    return this.#advance(moment, TAKE);
  }

  /** Goes back to the first `shared` messages. @param {number} shared @returns {{ reached: number, changes: number }} */
  truncate(shared) {
    const [reached, changes] = /** @type {[number, number]} */ (this.state.truncate(shared));
    return { reached, changes };
  }

  /** @param {Moment} moment @param {number} commit @returns {Decided} */
  #advance(moment, commit) {
    const written = this.#encode(moment, commit);
    const room = OUT_HEADER + 2 * this.messages;
    if (outbox.length < room) outbox = new Float64Array(room * 2);
    this.state.advance(written, outbox);
    return this.#decoded();
  }

  /** @param {Moment} moment @param {number} commit */
  #encode({ now, elapsed, sent }, commit) {
    const { changed, pushed, kept, marked, unmarked, hostMarks, fixed, system, outside, elsewhere } = this;
    const counts = [changed.length / 2, pushed.length / 2, kept.length / 2, marked.length / 2, unmarked.length];
    const header = [now, elapsed, sent, commit, fixed, system, outside, elsewhere, ...counts, hostMarks.length];
    const lists = [header, changed, pushed, kept, marked, unmarked, hostMarks];
    const numbers = lists.reduce((sum, list) => sum + list.length, 0);
    if (inbox.length < numbers) inbox = new Float64Array(numbers * 2);
    const into = inbox;
    let at = 0;
    for (const list of lists) for (const number of list) into[at++] = number;
    this.#clear();
    return into;
  }

  /** @returns {Decided} */
  #decoded() {
    reasons ??= native.scheduleReasons();
    const number = (/** @type {number} */ at) => /** @type {number} */ (outbox[at]);
    const positions = [];
    for (let nth = 0; nth < number(12); nth++) positions.push(number(OUT_HEADER + nth * 2));
    return {
      reason: /** @type {string} */ (reasons[number(0)]),
      isTaken: number(1) === 1,
      totalTokens: number(2),
      cachedTokens: number(3),
      cost: number(4),
      costLeftAlone: number(5),
      tokensSaved: number(6),
      extraCost: number(7),
      gainPerRequest: number(8),
      paysAfterRequests: number(9),
      leftPending: number(10),
      tokensLeftPending: number(11),
      changes: number(13),
      number: number(14),
      positions,
    };
  }
}

module.exports = { Schedule };
