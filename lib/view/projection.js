// @ts-check
'use strict';

const { Conversation } = require('../cleanup/conversation.js');
const { Mending } = require('../cleanup/mending.js');
const { CleanMessages } = require('../cleanup/clean-messages.js');
const { UncopiedMessage } = require('../cleanup/outcome.js');
const { copyOfList, sameItems } = require('../lists.js');
const { applicationBreakpoints, leadingSystem } = require('../messages/breakpoints.js');
const { isSentAlike, sharedBy } = require('../messages/likeness.js');
const { READ_AGAIN, PreviousMessages } = require('../messages/previous-messages.js');
const { usersLanguage } = require('../messages/users-language.js');
const native = require('../native.js');
const { requestFact } = require('./facts.js');
const { engineInLanguage } = require('./options.js');
const { Removals } = require('./removals.js');
const { isAnswered, RequestBoundaries } = require('./request-boundaries.js');
const { SentMessages } = require('./sent-messages.js');

/** Ids of forgotten messages keep their numbers. With more unused ids than this, the conversation is rebuilt. */
const MAX_UNUSED_IDS = 4096;
/** After this many reads, a message whose getter returns another value each time is accepted. */
const MAX_READS = 4;

/**
 * @typedef {import('./request-boundaries.js').Boundary} Boundary
 *
 * @typedef {object} Request one request
 * @property {number} now time of the request (ms)
 * @property {boolean} isSide a side request, which removes nothing
 * @property {FixedPrefix | undefined} [fixedPrefix]
 * @property {readonly any[]} [whole] the request whose start is read in advance
 *
 * @typedef {{ tokens: number, marks: number }} FixedPrefix system prompt and tools outside the messages: their tokens and cache breakpoints
 *
 * @typedef {object} Shared common to all projections of a view
 * @property {InstanceType<typeof import('../cleanup/engine.js').Engine>} engine
 * @property {Record<string, unknown>} options the view's options as plain data
 * @property {InstanceType<typeof import('../cleanup/protection.js').Protection>} protection
 * @property {InstanceType<typeof import('./facts.js').Facts>} facts
 * @property {boolean | 'store'} arrivalTimes what records the times of requests whose messages have none: this view's clock, nothing, or the store
 */

/** The messages that are sent for one conversation: a function of its messages, the options and the facts. All fields are caches of it. */
class Projection {
  #shared;
  #mending = new Mending();
  #clean;
  #sent;
  #boundaries;
  /** Inputs of the newest request in addition to its messages. */ #conditions = conditionsOf([]);
  #isLanguageSettled = false;
  /** Set until all requests are decided again: counts of unchanged requests and messages. @type {{ requests: number, messages: number } | null} */
  #restarted = { requests: 0, messages: 0 };
  /** For each message, when it was first sent (ms). @type {number[]} */ #firstSent = [];

  /** @param {Shared} shared */
  constructor(shared) {
    const { engine, options, protection, facts, arrivalTimes } = shared;
    this.#shared = shared;
    this.#boundaries = new RequestBoundaries(facts, arrivalTimes !== false);
    this.#clean = options.binary === false ? null : new CleanMessages(engine.dialect);
    /** All requests, the newest last. @type {Boundary[]} */ this.requests = [];
    this.previous = new PreviousMessages();
    this.conversation = new Conversation(engine);
    this.removals = new Removals(options, protection, this.#mending);
    this.#sent = new SentMessages(this.#mending, this.previous);
  }

  /** Removed results, keyed by row. */
  get removed() {
    return this.#sent.removed;
  }

  /** The newest request's messages as passed by the application. @returns {readonly any[]} */
  get given() {
    return this.#clean?.given ?? this.previous.messages;
  }

  /** When the newest request was sent (ms); NaN if unknown. */
  get newestMs() {
    const time = this.requests.at(-1)?.time ?? Number.NaN;
    return Number.isNaN(time) ? time : native.newestTime(Float64Array.of(time));
  }

  /**
   * @param {readonly any[]} messages
   * @param {Request} request
   * @returns {{ messages: any[], report: import('../../index.js').CleanupReport, isAgain: boolean }} `isAgain`: it repeats the previous request
   */
  project(messages, request) {
    // A getter may add messages to the array while it is read; they belong to the next call.
    const taken = this.#clean?.of(messages) ?? copyOfList(messages);
    const { whole = taken, fixedPrefix, isSide } = request;
    const conditions = conditionsOf(whole, fixedPrefix, isSide, this.#shared.facts.undecided);
    const { from, changed } = this.previous.compare(taken);
    const { length } = this.previous;
    const shared = Math.min(changed[0] ?? length, length, taken.length);
    const isUnchanged = sameItems(Object.values(conditions), Object.values(this.#conditions));
    const isSame = isUnchanged && shared === length && this.requests.length > 0;
    const isRepeated = isSame && taken.length === length;
    // Applications edit the newest messages in place.
    if (isRepeated) this.conversation.decide(taken, this.newestMs || 0, Math.max(0, length - READ_AGAIN));
    const edited = isRepeated ? this.#firstEdited(taken) : undefined;
    const isAgain = isRepeated && edited === undefined;
    this.#recordArrival(taken, request);
    this.#conditions = conditions;
    if (!isAgain && !(isSame && !isSide && isAnswered(taken, length))) {
      // Discarded requests stay in the ledger.
      this.removals.settle();
      this.#restart(edited ?? shared, taken);
    }
    const sent = this.#sentOf(taken, Math.min(from, shared), isAgain);
    this.previous.remember(taken, Math.min(from, shared));
    return { ...sent, report: this.#clean?.counted(sent.report) ?? sent.report, isAgain };
  }

  /** True for the start of the previous request under another system prompt: a request for a title. @param {readonly any[]} messages @param {FixedPrefix | undefined} fixedPrefix */
  isTitle(messages, fixedPrefix) {
    const isUnderSame = (fixedPrefix?.tokens ?? 0) === this.#conditions.fixedTokens;
    if (isUnderSame || messages.length >= this.previous.length) return false;
    return sharedBy(messages, this.previous.messages) === messages.length;
  }

  /** Indices of the messages sent last that get a cache breakpoint. @returns {number[]} */
  breakpoints() {
    const prefixes = this.removals.settle().marks();
    const places = prefixes.map((count) => this.#sent.placeOf(count) - 1);
    return [...new Set(places)].filter((place) => place >= 0 && place < this.#sent.length);
  }

  /** @param {any[]} taken @param {Request} request */
  #recordArrival(taken, { now, isSide, whole }) {
    const { facts, arrivalTimes } = this.#shared;
    if (arrivalTimes !== true || isSide || whole !== undefined || taken.length === 0) return;
    if (!this.#boundaries.isTimedWith(taken)) facts.add(requestFact(taken, now));
  }

  /** @param {number} shared count of unchanged messages at the start @param {readonly any[]} taken */
  #restart(shared, taken) {
    const requests = this.requests.filter(({ end }) => end <= shared && isAnswered(taken, end)).length;
    // If two restarts coincide, the one that keeps less wins.
    const before = this.#restarted ?? { requests, messages: shared };
    this.#restarted = { requests: Math.min(requests, before.requests), messages: Math.min(shared, before.messages) };
    this.requests = [];
    const { facts, arrivalTimes } = this.#shared;
    this.#boundaries = new RequestBoundaries(facts, arrivalTimes !== false);
    this.#mending.truncate(shared);
    this.#firstSent = [];
    this.#isLanguageSettled = false;
    this.#sent.restart(shared);
  }

  /** @param {any[]} taken @param {number} from the first `from` messages are the same objects @param {boolean} isDecided */
  #sentOf(taken, from, isDecided) {
    for (; ; isDecided = false) {
      if (!isDecided) this.#decide(taken, from);
      try {
        return this.#sent.of(taken, from, this.conversation);
      } catch (error) {
        if (!(error instanceof UncopiedMessage)) throw error;
        this.removals.leaveOut(error.messageObject);
        this.#restart(taken.length, taken);
      }
    }
  }

  /** @param {any[]} taken @param {number} from the first `from` messages are the same objects */
  #decide(taken, from) {
    const { engine, transcript } = this.conversation;
    const isFull = transcript.numbering.ids.size - taken.length > MAX_UNUSED_IDS;
    if (isFull) this.conversation = new Conversation(engine);
    let trusted = isFull ? 0 : Math.max(0, Math.min(from, this.previous.length - READ_AGAIN));
    for (let read = 1; ; read++) {
      const shared = this.#advance(taken, trusted, read >= MAX_READS);
      if (shared === undefined) return;
      this.#restart(shared, taken);
      trusted = 0;
    }
  }

  /**
   * Decides the new requests.
   * @param {any[]} taken
   * @param {number} trusted the first `trusted` messages are unchanged
   * @param {boolean} isLast accept messages that change at each read
   * @returns {number | undefined} if all requests must be decided again: the count of unchanged messages
   */
  #advance(taken, trusted, isLast) {
    const restarted = this.#restarted;
    const first = this.requests.length;
    const isTimed = this.#boundaries.areTimed;
    const found = this.#boundaries.take(taken, this.#conditions.isSide);
    // These are the first messages with times: times from facts no longer apply to earlier requests.
    if (first > 0 && this.#boundaries.areTimed !== isTimed) return taken.length;
    this.requests.push(...found);
    this.#recordFirstSent(found);
    const now = this.newestMs || 0;
    const earlier = found.slice(0, -1).map(({ end, time }) => ({ end, now: Number.isNaN(time) ? 0 : time }));
    const { conversation } = this;
    const before = conversation.decision;
    const decision = conversation.decide(taken, now, trusted, { earlier, first, areAll: restarted !== null });
    const isChecked = restarted !== null || isLast;
    if (!isChecked) {
      const edited = this.#firstEdited(taken);
      if (edited !== undefined) return edited;
      // Some results are no longer outdated: an earlier call may have got its result since.
      if (decision.keptEdits < before.editCount) return taken.length;
    }
    if (restarted !== null) this.removals.restart(conversation, restarted.messages);
    const results = this.removals.read(conversation, this.requests, first);
    if (!isLast && this.#switchLanguage(taken)) return taken.length;
    const isMended = this.#mending.update(conversation).some((index) => index < this.previous.length);
    if (isMended && !isChecked) return taken.length;
    if (restarted !== null) this.removals.begin(this.#conditions, restarted, conversation);
    this.#restarted = null;
    const request = { conversation, messages: taken, requests: this.requests, isSide: this.#conditions.isSide };
    const { removed, shortened } = this.removals.decide(results, request);
    for (const one of shortened) this.#sent.shorten(one.row, one.text);
    if (removed.length > 0 && !isChecked && trusted > 0) {
      // Read all messages again before removing anything: an application may have edited one in place.
      conversation.decide(taken, now, 0);
      const edited = this.#firstEdited(taken);
      if (edited !== undefined) return edited;
    }
    for (const one of removed) if (!this.#sent.removed.has(one.row)) this.#sent.remove(one.row, one);
    return undefined;
  }

  /** True if messages without times are as old as the first known request that sent them. @param {readonly any[]} [messages] */
  isDatedByRequests(messages = []) {
    const { arrivalTimes, options } = this.#shared;
    return arrivalTimes !== false && options.unknownAge === undefined && !this.#boundaries.isTimedWith(messages);
  }

  /** Without times, a result's age counts from the first known request that sent it. @param {readonly Boundary[]} found */
  #recordFirstSent(found) {
    const isUsed = this.isDatedByRequests();
    this.conversation.firstSeen = isUsed ? this.#firstSent : null;
    for (const { end, time } of isUsed ? found : []) {
      if (!Number.isNaN(time)) for (let at = this.#firstSent.length; at < end; at++) this.#firstSent.push(time);
    }
  }

  /** Index of the first message whose content changed. A clone that a provider sees as the same is unchanged. @param {any[]} taken */
  #firstEdited(taken) {
    const { edited, layout } = this.conversation;
    const isClone = (/** @type {number} */ index) =>
      taken[index] !== this.previous.messages[index] && isSentAlike(taken[index], this.previous.messages[index]);
    // A tool result that is no longer one leaves one row fewer.
    const messageOf = (/** @type {number} */ row) => layout.messageOf(row) ?? taken.length - 1;
    const messages = edited.map(messageOf).filter((index) => !isClone(index));
    return messages.length === 0 ? undefined : Math.min(...messages);
  }

  /** Switches to the user's language at the first placeholder; false if it is the current one. @param {any[]} taken */
  #switchLanguage(taken) {
    const end = this.#isLanguageSettled ? undefined : this.#firstPlaceholderAt();
    if (end === undefined) return false;
    this.#isLanguageSettled = true;
    const { engine } = this.conversation;
    const spoken = () => usersLanguage(taken.slice(0, end), engine.dialect);
    const other = engineInLanguage(engine, this.#shared.options, spoken);
    if (other !== undefined) this.conversation = new Conversation(other);
    return other !== undefined;
  }

  /** Length of the first request that needs a placeholder, a reference, or a result for an interrupted call. @returns {number | undefined} */
  #firstPlaceholderAt() {
    const { decision, layout, transcript } = this.conversation;
    let first = this.removals.firstReference;
    for (let edit = 0; edit < decision.editCount; edit++) first = Math.min(first, decision.requestOf(edit));
    for (const call of decision.answeredCalls) {
      const index = layout.messageOf(transcript.calls.rowOf(call));
      const request = this.requests.findIndex(({ end }) => end > index + 1);
      if (request >= 0) first = Math.min(first, request);
    }
    return this.requests[first]?.end;
  }
}

/**
 * @param {readonly any[]} messages
 * @param {FixedPrefix} [fixedPrefix]
 * @param {boolean} [isSide]
 * @param {number} [undecided] count of requests that were sent without asking the view
 */
function conditionsOf(messages, fixedPrefix, isSide = false, undecided = 0) {
  return {
    fixedTokens: fixedPrefix?.tokens ?? 0,
    system: leadingSystem(messages),
    marksBefore: fixedPrefix?.marks ?? 0,
    marks: applicationBreakpoints(messages).length,
    isSide,
    undecided,
  };
}

module.exports = { Projection };
