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
 * @property {number} spoken the time of the newest message, in its own unit; NaN where it doesn't say
 * @property {number} answered the time of the newest answer
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

/** What stands ahead of a request, and what the host has marked in it. @typedef {Pick<Schedule, 'messages' | 'fixed' | 'outside' | 'elsewhere' | 'system' | 'hostMarks'>} Asked */
/** What the core is to be told later; `change`: the number of the one that was made with the request. @typedef {{ moment: Moment, asked: Asked, change: number } | { report: Parameters<State['observe']> }} Untold */
/** @typedef {InstanceType<typeof native.CacheSchedule>} State */
/** What weighs messages: `weigh` those up to `end` that were not, as tokens and blocks in turn; `changed` the messages of a change, as positions and tokens in turn; `refine` anew what was only estimated. @typedef {{ weigh: (end: number) => number[], changed: (change: number) => number[], refine: () => void }} Weigher */

/**
 * Collects what happened to a view's messages since the last decision, and asks the core's schedule for the next one. As long
 * as nothing waits there is nothing to decide, and without a cache whatever waits is replaced at once: then requests are only
 * noted, and told when somebody asks.
 */
class Schedule {
  /** @type {State} */ #state;
  /** @type {Untold[]} */ #untold = [];
  /** Requests on the bill, with those that are untold; unknown where the core has counted since. @type {number | undefined} */
  #billed;
  /** How many messages the last request had. */ #reached = 0;
  /** The clock that it went by. @type {number | null | undefined} */ #lastNow = null;
  /** @type {Decided | null} */ #decided = null;

  /** @param {Record<string, unknown>} options */
  constructor(options) {
    this.#state = new native.CacheSchedule(options);
    /** @type {Weigher} */ this.weigher = { weigh: () => [], changed: () => [], refine: () => {} };
    /** Whether the core decides on each request. */
    this.isAwake = false;
    /** Whether there is no cache that a change could cost. */
    this.isFree = options.price === 'none';
    /** How many changes were made that are untold. */
    this.changes = 0;
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
    /** @type {number[]} */ this.riding = [];
    /** @type {number[]} */ this.unmarked = [];
  }

  /** The core's, which has been told everything. */
  get state() {
    this.settle();
    this.#billed = undefined;
    return this.#state;
  }

  /** What was decided on the last request. */
  get decided() {
    this.settle();
    return this.#decided;
  }

  /** Tells the core what it was not told. */
  settle() {
    const untold = this.#untold;
    if (untold.length === 0) return;
    this.#untold = [];
    // From here on the core knows what is replaced.
    if (this.isFree) this.#wake();
    const { messages, fixed, outside, elsewhere, system, hostMarks } = this;
    const newest = { messages, fixed, outside, elsewhere, system, hostMarks };
    const weights = this.weigher.weigh(this.#reached);
    let known = this.#reached - weights.length / 2;
    let at = 0;
    for (const one of untold) {
      if ('report' in one) this.#state.observe(...one.report);
      else {
        Object.assign(this, one.asked);
        for (; known < this.messages; known++, at += 2) this.pushed.push(...weights.slice(at, at + 2));
        if (one.change > 0) this.marked.push(...this.weigher.changed(one.change));
        this.#reach(one.moment, this.#advance(one.moment, TAKE));
      }
    }
    Object.assign(this, newest);
  }

  /** From now on each request is decided on when it is sent. */
  awake() {
    this.settle();
    this.#wake();
  }

  #wake() {
    if (this.isAwake) return;
    this.isAwake = true;
    if (this.isFree) this.weigher.refine();
  }

  /** Goes on where another process left off. @param {string} exported @returns {boolean} whether that can be */
  restore(exported) {
    this.isAwake = true;
    this.#lastNow = undefined;
    return this.state.restore(exported);
  }

  /** @param {Parameters<State['observe']>} report @returns {boolean} whether it says how long the prompt was */
  observe(...report) {
    if (this.isAwake || this.#untold.length === 0) return this.state.observe(...report);
    const isTelling = native.saysPromptTokens(report[1]);
    if (isTelling) this.#untold.push({ report });
    return isTelling;
  }

  /** How many requests there were. @returns {number} */
  get requests() {
    if (this.isAwake) this.#billed = undefined;
    this.#billed ??= /** @type {number} */ (this.#state.costs()[0]);
    return this.#billed;
  }

  /** How many messages the last request had, of those that had no other than the first `shared`. @param {number} shared */
  reachedWith(shared) {
    return shared >= this.#reached ? this.#reached : this.state.reachedWith(shared);
  }

  /** The clock that the last request went by; null before the first. @returns {number | null} */
  lastNow() {
    if (this.#lastNow === undefined) this.#lastNow = this.state.lastNow();
    return this.#lastNow;
  }

  /** What would be done now, all news considered. @param {Moment} moment @returns {Decided} */
  plan(moment) {
    this.settle();
    return this.#advance(moment, LOOK);
  }

  /** Takes the request as sent, unless something is to be replaced. @param {Moment} moment @returns {Decided} */
  begin(moment) {
    if (this.isAwake) return this.#reach(moment, this.#advance(moment, TAKE_UNLESS_CHANGED));
    const positions = this.marked.filter((_, at) => at % 2 === 0).sort((a, b) => a - b);
    this.#clear();
    if (positions.length > 0) return { ...NOTHING, isTaken: false, positions, changes: this.changes };
    return this.#note(moment, 0);
  }

  /** @param {Moment} moment @param {number} change */
  #note(moment, change) {
    const isSent = !Number.isNaN(moment.sent);
    const number = isSent ? this.requests : -1;
    const { messages, fixed, outside, elsewhere, system, hostMarks } = this;
    this.#untold.push({ moment, asked: { messages, fixed, outside, elsewhere, system, hostMarks }, change });
    if (isSent) this.#billed = number + 1;
    return this.#reach(moment, { ...NOTHING, number });
  }

  /** @param {Moment} moment @param {Decided} decided */
  #reach(moment, decided) {
    if (!decided.isTaken) return decided;
    this.#reached = this.messages;
    this.#lastNow = moment.now;
    this.#decided = decided;
    return decided;
  }

  /** Takes the request as sent, with what is to be replaced. @param {Moment} moment @returns {Decided} */
  take(moment) {
    if (this.isAwake) return this.#reach(moment, this.#advance(moment, TAKE));
    return this.#note(moment, ++this.changes);
  }

  /** Goes back to the first `shared` messages. @param {number} shared @returns {{ reached: number, changes: number }} */
  truncate(shared) {
    const [reached, changes] = /** @type {[number, number]} */ (this.state.truncate(shared));
    this.#reached = reached;
    this.#lastNow = undefined;
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
  #encode({ now, spoken, answered, sent }, commit) {
    const { changed, pushed, kept, marked, riding, unmarked, hostMarks, fixed, system, outside, elsewhere } = this;
    const pairs = [changed, pushed, kept, marked, riding];
    const counts = [...pairs.map((list) => list.length / 2), unmarked.length];
    const header = [
      now,
      spoken,
      answered,
      sent,
      commit,
      fixed,
      system,
      outside,
      elsewhere,
      ...counts,
      hostMarks.length,
    ];
    const lists = [header, ...pairs, unmarked, hostMarks];
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

/** What is decided where nothing waits. @type {Decided} */
const NOTHING = Object.freeze({
  reason: '',
  isTaken: true,
  totalTokens: 0,
  cachedTokens: 0,
  cost: 0,
  costLeftAlone: 0,
  tokensSaved: 0,
  extraCost: 0,
  gainPerRequest: 0,
  paysAfterRequests: 0,
  leftPending: 0,
  tokensLeftPending: 0,
  changes: 0,
  number: -1,
  positions: [],
});

module.exports = { Schedule };
