// @ts-check
'use strict';

const { layouts, lengthOf } = require('../layouts.js');
const native = require('../native.js');

const { viewNews: NEWS, scheduleDecision: DECISION } = layouts;
const NEWS_NUMBERS = lengthOf(NEWS);
const DECISION_NUMBERS = lengthOf(DECISION);
const FIGURES = /** @type {(keyof typeof DECISION)[]} */ (Object.keys(DECISION));
const { Look: LOOK, TakeUnlessChanged: TAKE_UNLESS_CHANGED, Take: TAKE } = native.Commit;

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
 * @typedef {object} Taken
 * @property {boolean} isTaken whether the request counts as sent
 * @property {number} changes on this path, with those that are decided now
 * @property {number} number of the request on the bill
 * @property {number[]} positions of the messages to replace
 *
 * @typedef {Taken & Figures} Decided
 * @typedef {{ reason: string } & Record<'totalTokens' | 'cachedTokens' | 'cost' | 'costLeftAlone' | 'tokensSaved' | 'extraCost' | 'gainPerRequest' | 'paysAfterRequests' | 'leftPending' | 'tokensLeftPending', number>} Figures
 */

/** What a request has beside its moment. @typedef {Pick<Schedule, 'messages' | 'fixed' | 'outside' | 'elsewhere' | 'system' | 'hostMarks' | 'mended'>} Asked */
/** What the core is to be told later: a request, which messages were replaced with it, and how many changes were made before; or a report. @typedef {{ moment: Moment, asked: Asked, positions: readonly number[], changes: number } | { report: Parameters<State['observe']> }} Untold */
/** @typedef {InstanceType<typeof native.CacheSchedule>} State */
/** What weighs messages, once it is asked. @typedef {Pick<InstanceType<typeof import('./weighed.js').WeighedMessages>, 'weigh' | 'tell' | 'refine'>} Weigher */

/**
 * Collects what happened to a view's messages since the last decision, and asks the core's schedule for the next one. As long
 * as nothing waits there is nothing to decide, and without a cache whatever waits is replaced at once: then requests are only
 * noted, and told when somebody asks.
 */
class Schedule {
  /** @type {State} */ #state;
  /** @type {Untold[]} */ #untold = [];
  /** Requests on the bill, with those that are untold; unknown where the core has counted since. @type {number | undefined} */
  #billed = 0;
  /** How many messages the last request had. */ #reached = 0;
  /** The clock that it went by. @type {number | null | undefined} */ #lastNow = null;
  /** What was decided on the last request, as the core told it. @type {Float64Array | null} */ #decided = null;

  /** @param {Record<string, unknown>} options */
  constructor(options) {
    this.#state = new native.CacheSchedule(options);
    /** @type {Weigher} */ this.weigher = { weigh: () => {}, tell: () => {}, refine: () => {} };
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
    /** How messages are mended. @type {import('./mending.js').MendedMessages} */
    this.mended = new Map();
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

  /** How many tokens of the last request its cache had; 0 before the first. */
  get cachedTokens() {
    this.settle();
    return this.#decided?.[DECISION.cachedTokens] ?? 0;
  }

  /** Tells the core what it was not told. */
  settle() {
    const untold = this.#untold;
    if (untold.length === 0) return;
    this.#untold = [];
    // From here on the core knows what is replaced.
    if (this.isFree) this.#wake();
    const newest = this.#asked();
    this.weigher.weigh(this.#reached);
    for (const one of untold) {
      if ('report' in one) this.#state.observe(...one.report);
      else {
        Object.assign(this, one.asked);
        this.weigher.tell(one.positions, one.changes);
        this.#advance(one.moment, TAKE);
      }
    }
    Object.assign(this, newest);
  }

  /**
   * Where the host has marked the request. A later process sees where the marks are then: that there was one at the end, and how
   * many, is the same in all.
   * @param {readonly number[]} marks prefixes, in messages
   * @param {number | null} length of a request that a later process plays again
   */
  tellMarks(marks, length) {
    const isPlayed = length !== null && marks.length > 0;
    this.hostMarks = isPlayed ? [length] : marks;
    if (isPlayed) this.elsewhere = marks.length - 1;
  }

  /** @returns {Asked} */
  #asked() {
    const { messages, fixed, outside, elsewhere, system, hostMarks, mended } = this;
    return { messages, fixed, outside, elsewhere, system, hostMarks, mended };
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

  /** Goes on where another process left off. @param {string} exported @param {boolean} isTold whether deltas will go on from there @returns {boolean} whether that can be */
  restore(exported, isTold) {
    this.isAwake = true;
    this.#lastNow = undefined;
    return this.state.restore(exported, isTold);
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
    this.#billed ??= this.#state.costs().requests;
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
    const { positions } = this.#advance(moment, LOOK);
    reasons ??= native.scheduleReasons();
    const { replaced: _, ...told } = figures();
    return { ...told, reason: /** @type {string} */ (reasons[told.reason]), isTaken: false, positions };
  }

  /** Takes the request as sent, unless something is to be replaced. @param {Moment} moment @returns {Taken} */
  begin(moment) {
    if (this.isAwake) return this.#reach(moment, this.#advance(moment, TAKE_UNLESS_CHANGED));
    const positions = this.marked.filter((_, at) => at % 2 === 0).sort((a, b) => a - b);
    this.#clear();
    if (positions.length > 0) return { isTaken: false, positions, changes: this.changes, number: -1 };
    return this.#note(moment, positions);
  }

  /** Takes the request as sent, with what is replaced. @param {Moment} moment @param {number[]} positions @returns {Taken} */
  take(moment, positions) {
    if (this.isAwake) return this.#reach(moment, this.#advance(moment, TAKE));
    return this.#note(moment, positions);
  }

  /** @param {Moment} moment @param {number[]} positions */
  #note(moment, positions) {
    const { changes } = this;
    const isSent = !Number.isNaN(moment.sent);
    const number = isSent ? this.requests : -1;
    this.#untold.push({ moment, asked: this.#asked(), positions, changes });
    if (positions.length > 0) this.changes++;
    if (isSent) this.#billed = number + 1;
    return this.#reach(moment, { isTaken: true, positions, changes, number });
  }

  /** @template {Taken} T @param {Moment} moment @param {T} taken */
  #reach(moment, taken) {
    if (!taken.isTaken) return taken;
    this.#reached = this.messages;
    this.#lastNow = moment.now;
    return taken;
  }

  /** Goes back to the first `shared` messages. @param {number} shared @returns {{ reached: number, changes: number }} */
  truncate(shared) {
    const last = this.state.truncate(shared);
    this.#reached = last.reached;
    this.#lastNow = undefined;
    return last;
  }

  /** @param {Moment} moment @param {number} commit @returns {Taken} */
  #advance(moment, commit) {
    const written = this.#encode(moment, commit);
    const room = DECISION_NUMBERS + 2 * this.messages;
    if (outbox.length < room) outbox = new Float64Array(room * 2);
    this.state.advance(written, outbox);
    const [isTaken, replaced] = [outbox[DECISION.isTaken] === 1, said(DECISION.replaced)];
    if (isTaken) this.#decided = outbox.slice(0, DECISION_NUMBERS);
    const positions = [];
    for (let nth = 0; nth < replaced; nth++) positions.push(said(DECISION_NUMBERS + nth * 2));
    return { isTaken, positions, changes: said(DECISION.changes), number: said(DECISION.number) };
  }

  /** @param {Moment} moment @param {number} commit */
  #encode({ now, spoken, answered, sent }, commit) {
    const { changed, pushed, kept, marked, riding, unmarked, hostMarks } = this;
    const lists = [changed, pushed, kept, marked, riding, unmarked, hostMarks];
    let numbers = NEWS_NUMBERS;
    for (const { length } of lists) numbers += length;
    if (inbox.length < numbers) inbox = new Float64Array(numbers * 2);
    const into = inbox;
    into[NEWS.now] = now;
    into[NEWS.spoken] = spoken;
    into[NEWS.answered] = answered;
    into[NEWS.sent] = sent;
    into[NEWS.commit] = commit;
    into[NEWS.fixed] = this.fixed;
    into[NEWS.system] = this.system;
    into[NEWS.outside] = this.outside;
    into[NEWS.elsewhere] = this.elsewhere;
    into[NEWS.changed] = changed.length / 2;
    into[NEWS.pushed] = pushed.length / 2;
    into[NEWS.kept] = kept.length / 2;
    into[NEWS.marked] = marked.length / 2;
    into[NEWS.riding] = riding.length / 2;
    into[NEWS.unmarked] = unmarked.length;
    into[NEWS.hostMarks] = hostMarks.length;
    let at = NEWS_NUMBERS;
    for (const list of lists) for (const number of list) into[at++] = number;
    this.#clear();
    return into;
  }
}

/** @param {number} at */
function said(at) {
  return /** @type {number} */ (outbox[at]);
}

/** All that the core has told of its decision. @returns {typeof DECISION} */
function figures() {
  const told = { ...DECISION };
  for (const name of FIGURES) told[name] = said(DECISION[name]);
  return told;
}

module.exports = { Schedule };
