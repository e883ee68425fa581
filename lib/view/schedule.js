// @ts-check
'use strict';

const native = require('../native.js');

/** @see src/view_wire.rs */
const IN_HEADER = 10;
const OUT_HEADER = 14;
const LOOK = 0;
const TAKE_UNLESS_CHANGED = 1;
const TAKE = 2;

/** @type {string[] | undefined} */
let reasons;
let inbox = new Float64Array(256);
let outbox = new Float64Array(256);

/**
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
 * @property {number[]} positions of the messages to replace
 * @property {number[]} restored messages to send in full again, before `positions` are replaced
 */

/** Collects what happened to a view's messages since the last decision, and asks the core's schedule for the next one. */
class Schedule {
  /** @param {unknown} options */
  constructor(options) {
    this.state = new native.CacheSchedule(options);
    /** How many messages there are. */
    this.messages = 0;
    /** Messages that are replaced though no rule condemns them any more, ascending. @type {readonly number[]} */
    this.unfounded = [];
    this.#clear();
  }

  #clear() {
    /** How many messages at the start stay; all where it is negative. @type {number} */ this.keep = -1;
    /** Positions and tokens in turn. @type {number[]} */ this.changed = [];
    /** @type {number[]} */ this.pushed = [];
    /** @type {number[]} */ this.kept = [];
    /** @type {number[]} */ this.restored = [];
    /** @type {number[]} */ this.marked = [];
    /** @type {number[]} */ this.unmarked = [];
  }

  /** What would be done now, all news considered. @param {number} now @returns {Decided} */
  plan(now) {
    return this.#advance(now, LOOK);
  }

  /** Takes the request as sent, unless something is to be replaced. @param {number} now @returns {Decided} */
  begin(now) {
    return this.#advance(now, TAKE_UNLESS_CHANGED);
  }

  /** Takes the request as sent, with what is to be replaced. @param {number} now @returns {Decided} */
  take(now) {
    return this.#advance(now, TAKE);
  }

  /** @param {number} now @param {number} commit @returns {Decided} */
  #advance(now, commit) {
    const written = this.#encode(now, commit);
    const room = OUT_HEADER + 3 * this.messages;
    if (outbox.length < room) outbox = new Float64Array(room * 2);
    this.state.advance(written, outbox);
    return this.#decoded();
  }

  /** @param {number} now @param {number} commit */
  #encode(now, commit) {
    const { changed, pushed, kept, restored, marked, unmarked, unfounded } = this;
    const keep = /** @type {number} */ (this.keep);
    const lists = [changed, pushed, kept, restored, marked, unmarked, unfounded];
    const numbers = IN_HEADER + lists.reduce((sum, list) => sum + list.length, 0);
    if (inbox.length < numbers) inbox = new Float64Array(numbers * 2);
    const into = inbox;
    into[0] = now;
    into[1] = commit;
    into[2] = keep < 0 ? 2 ** 32 - 1 : keep;
    into[3] = changed.length / 2;
    into[4] = pushed.length;
    into[5] = kept.length / 2;
    into[6] = restored.length;
    into[7] = marked.length / 2;
    into[8] = unmarked.length;
    into[9] = unfounded.length;
    let at = IN_HEADER;
    for (const list of lists) for (const number of list) into[at++] = number;
    this.#clear();
    return into;
  }

  /** @returns {Decided} */
  #decoded() {
    reasons ??= native.scheduleReasons();
    const number = (/** @type {number} */ at) => /** @type {number} */ (outbox[at]);
    const count = number(12);
    const positions = [];
    for (let at = 0; at < count; at++) positions.push(number(OUT_HEADER + at * 2));
    const restored = [];
    for (let at = 0; at < number(13); at++) restored.push(number(OUT_HEADER + count * 2 + at));
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
      positions,
      restored,
    };
  }
}

module.exports = { Schedule };
