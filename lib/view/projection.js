// @ts-check
'use strict';

const { Conversation } = require('../cleanup/conversation.js');
const { OrphanFixes } = require('../cleanup/orphan-fixes.js');
const { MessagesWithoutBinary } = require('../cleanup/messages-without-binary.js');
const { UncopiedMessage } = require('../cleanup/outcome.js');
const { copyOfList, sameItems } = require('../lists.js');
const { isSentAlike, sharedBy } = require('../messages/likeness.js');
const { READ_AGAIN, PreviousMessages } = require('../messages/previous-messages.js');
const { usersLanguage } = require('../messages/users-language.js');
const native = require('../native.js');
const { requestFact } = require('./facts.js');
const { conditionsOf } = require('./fold-encoding.js');
const { engineInLanguage } = require('./options.js');
const { Removals } = require('./removals.js');
const { isAnswered, RequestBoundaries } = require('./request-boundaries.js');
const { SentMessages } = require('./sent-messages.js');

/** With more unused ids (of forgotten messages), the conversation is rebuilt. */ const MAX_UNUSED_IDS = 4096;
/** After this many reads, a message whose getter returns another value each time is accepted. */ const MAX_READS = 4;

/**
 * @typedef {{ tokens: number, breakpointCount: number }} FixedPrefix system prompt and tools that are not messages
 *
 * `now`: time of the request (ms); `isSide`: a side request, which removes nothing; `allMessages`: those of a request whose beginning is projected in advance.
 * @typedef {{ now: number, isSide: boolean, fixedPrefix?: FixedPrefix | undefined, allMessages?: readonly any[] }} Request
 *
 * Common to all projections of a view. `options`: plain data; `arrivalTimes`: what records the times of requests whose messages have none, which is
 * this view's clock, nothing, or the store.
 * @typedef {{ engine: InstanceType<typeof import('../cleanup/engine.js').Engine>, protection: InstanceType<typeof import('../cleanup/protection.js').Protection>,
 *   facts: InstanceType<typeof import('./facts.js').Facts>, options: Record<string, unknown>, arrivalTimes: boolean | 'store' }} ViewContext
 */

/** What is sent for one conversation: a function of its messages, the options and the facts, of which all fields are caches. */
class Projection {
  #context;
  #orphanFixes = new OrphanFixes();
  /** Null if binary data stays in results. */ #clean;
  #sent;
  #boundaries;
  /** Inputs of the newest request in addition to its messages. */ #conditions = conditionsOf([]);
  /** True once the placeholders' language is chosen. */ #isLanguageSettled = false;
  /** Set until all requests are decided again: counts of unchanged ones. @type {{ requests: number, messages: number } | null} */
  #pendingRestart = { requests: 0, messages: 0 };
  /** For each message, when it was first sent (ms). @type {number[]} */ #firstSent = [];

  /** @param {ViewContext} context */
  constructor(context) {
    const { engine, options } = context;
    this.#context = context;
    this.#boundaries = new RequestBoundaries(context);
    this.#clean = options.binary === false ? null : new MessagesWithoutBinary(engine.dialect);
    /** All requests, the newest last. @type {import('./request-boundaries.js').Boundary[]} */ this.requests = [];
    this.previous = new PreviousMessages();
    this.conversation = new Conversation(engine);
    this.removals = new Removals(context, this.#orphanFixes);
    this.#sent = new SentMessages(this.#orphanFixes, this.previous);
  }

  /** Removed results, keyed by row. */
  get removed() {
    return this.#sent.removed;
  }

  /** The newest request's messages as the application passed them. @returns {readonly any[]} */
  get given() {
    return this.#clean?.given ?? this.previous.messages;
  }

  /** When the newest request was sent (ms); NaN if unknown. */
  get newestMs() {
    const time = this.requests.at(-1)?.time ?? Number.NaN;
    return Number.isNaN(time) ? time : native.newestTime(Float64Array.of(time));
  }

  /** In the result, `isAgain` is true if the request repeats the previous one. @param {readonly any[]} given the application's messages @param {Request} request */
  project(given, request) {
    // A getter may add messages to the array while it is read; they belong to the next call.
    const messages = this.#clean?.update(given) ?? copyOfList(given);
    const { allMessages, fixedPrefix, isSide, now } = request;
    const { facts, arrivalTimes } = this.#context;
    const conditions = conditionsOf(allMessages ?? messages, fixedPrefix, isSide, facts.undecidedCount);
    const { from, changed } = this.previous.compare(messages);
    const { length } = this.previous;
    const unchangedCount = Math.min(changed[0] ?? length, length, messages.length);
    const identicalCount = Math.min(from, unchangedCount);
    const hasSameConditions = sameItems(Object.values(conditions), Object.values(this.#conditions));
    const continuesPrevious = hasSameConditions && unchangedCount === length && this.requests.length > 0;
    const hasNoMore = continuesPrevious && messages.length === length;
    // Applications edit the newest messages in place.
    if (hasNoMore) this.conversation.decide(messages, this.newestMs || 0, Math.max(0, length - READ_AGAIN));
    const firstEdited = hasNoMore ? this.#firstEdited(messages) : undefined;
    const isAgain = hasNoMore && firstEdited === undefined;
    const isNext = continuesPrevious && !isSide && isAnswered(messages, length);
    const isRecorded = arrivalTimes === true && !isSide && allMessages === undefined && messages.length > 0;
    if (isRecorded && !this.#boundaries.isTimedWith(messages)) facts.add(requestFact(messages, now));
    this.#conditions = conditions;
    if (!isAgain && !isNext) {
      // The cost of discarded requests stays in the ledger, their removals don't.
      this.removals.settle();
      this.#restart(firstEdited ?? unchangedCount, messages);
    }
    if (!isAgain) this.#decide(messages, identicalCount);
    const sent = this.#copyToSend(messages, identicalCount);
    this.previous.remember(messages, identicalCount);
    return { ...sent, report: this.#clean?.reportWithBinary(sent.report) ?? sent.report, isAgain };
  }

  /** True for the start of the previous request under another system prompt: a request for a title. @param {readonly any[]} messages @param {FixedPrefix | undefined} fixedPrefix */
  isTitle(messages, fixedPrefix) {
    const hasSamePrompt = (fixedPrefix?.tokens ?? 0) === this.#conditions.fixedTokens;
    if (hasSamePrompt || messages.length >= this.previous.length) return false;
    return sharedBy(messages, this.previous.messages) === messages.length;
  }

  /** Indices of the messages sent last that get a cache breakpoint. @returns {number[]} */
  breakpoints() {
    const lengths = this.removals.settle().marks();
    const indices = new Set(lengths.map((length) => this.#sent.sentCountOf(length) - 1));
    return [...indices].filter((index) => index >= 0 && index < this.#sent.length);
  }

  /** Has all requests decided again. @param {number} unchangedCount of messages at the start @param {readonly any[]} messages */
  #restart(unchangedCount, messages) {
    const requestCount = this.requests.filter(({ end }) => end <= unchangedCount && isAnswered(messages, end)).length;
    // If two restarts coincide, the one that keeps less wins.
    const pending = this.#pendingRestart;
    this.#pendingRestart = {
      requests: Math.min(requestCount, pending?.requests ?? requestCount),
      messages: Math.min(unchangedCount, pending?.messages ?? unchangedCount),
    };
    if (unchangedCount < this.previous.length)
      this.removals.forgetProtection(this.conversation.table.firstRowOf(unchangedCount));
    this.requests = [];
    this.#boundaries = new RequestBoundaries(this.#context);
    this.#orphanFixes.truncate(unchangedCount);
    this.#firstSent = [];
    this.#isLanguageSettled = false;
    this.#sent.restart(unchangedCount);
  }

  /** The copies to send. @param {any[]} messages @param {number} identicalCount the first messages, which are the same objects as before */
  #copyToSend(messages, identicalCount) {
    for (;;) {
      try {
        return this.#sent.update(messages, identicalCount, this.conversation);
      } catch (error) {
        if (!(error instanceof UncopiedMessage)) throw error;
        this.removals.uncopied.add(error.messageObject);
        this.#restart(messages.length, messages);
        this.#decide(messages, identicalCount);
      }
    }
  }

  /** Decides the new requests, and again from the first one until no earlier decision is wrong. @param {any[]} messages @param {number} identicalCount as in `#copyToSend` */
  #decide(messages, identicalCount) {
    const { engine, transcript } = this.conversation;
    const isFull = transcript.numbering.ids.size - messages.length > MAX_UNUSED_IDS;
    if (isFull) this.conversation = new Conversation(engine);
    let trusted = isFull ? 0 : Math.max(0, Math.min(identicalCount, this.previous.length - READ_AGAIN));
    for (let read = 1; ; read++) {
      const unchangedCount = this.#decideNew(messages, trusted, read >= MAX_READS);
      if (unchangedCount === undefined) return;
      this.#restart(unchangedCount, messages);
      trusted = 0;
    }
  }

  /**
   * Decides the new requests. @param {any[]} messages @param {number} trusted count of messages at the start that are unchanged
   * @param {boolean} acceptsChanges accept messages that change at each read
   * @returns {number | undefined} if all requests must be decided again: the count of unchanged messages
   */
  #decideNew(messages, trusted, acceptsChanges) {
    const { conversation, removals, requests } = this;
    const restart = this.#pendingRestart;
    // At a restart, no earlier decision can be wrong.
    const isFinal = restart !== null || acceptsChanges;
    const first = requests.length;
    const unchangedCount = this.#readNew(messages, trusted, isFinal);
    if (unchangedCount !== undefined) return unchangedCount;
    if (restart !== null) removals.restart(conversation, restart.messages);
    const results = removals.readNew(conversation, requests, first);
    if (!acceptsChanges && this.#switchLanguage(messages)) return messages.length;
    const fixed = this.#orphanFixes.update(conversation);
    if (!isFinal && fixed.some((index) => index < this.previous.length)) return messages.length;
    if (restart !== null) removals.refold(this.#conditions, restart.requests);
    this.#pendingRestart = null;
    return this.#replace(results, messages, !isFinal && trusted > 0);
  }

  /**
   * Replaces results. `mustReadAgain`: before a removal, all messages are read again, because an application may have edited one in place.
   * @param {import('./removals.js').NewResults} results @param {any[]} messages @param {boolean} mustReadAgain @returns as in `#decideNew`
   */
  #replace(results, messages, mustReadAgain) {
    const { conversation, requests } = this;
    const { isSide } = this.#conditions;
    const { removed, shortened } = this.removals.decide(results, { conversation, messages, requests, isSide });
    for (const { row, text } of shortened) this.#sent.shorten(row, text);
    if (removed.length > 0 && mustReadAgain) {
      conversation.decide(messages, this.newestMs || 0, 0);
      const firstEdited = this.#firstEdited(messages);
      if (firstEdited !== undefined) return firstEdited;
    }
    for (const result of removed) if (!this.removed.has(result.row)) this.#sent.remove(result);
    return undefined;
  }

  /** Has the rules decide the new requests; as `#decideNew`. @param {any[]} messages @param {number} trusted @param {boolean} isFinal earlier decisions stay */
  #readNew(messages, trusted, isFinal) {
    const { requests } = this;
    const first = requests.length;
    const wereTimed = this.#boundaries.areTimed;
    const newRequests = this.#boundaries.readNew(messages, this.#conditions.isSide);
    // These are the first messages with times: times from facts no longer apply to earlier requests.
    if (first > 0 && this.#boundaries.areTimed !== wereTimed) return messages.length;
    requests.push(...newRequests);
    const isDatedByRequests = this.isDatedByRequests();
    this.conversation.firstSeen = isDatedByRequests ? this.#firstSent : null;
    for (const { end, time } of isDatedByRequests ? newRequests : []) {
      if (!Number.isNaN(time)) while (this.#firstSent.length < end) this.#firstSent.push(time);
    }
    const earlier = newRequests.slice(0, -1).map(({ end, time }) => ({ end, now: time || 0 }));
    const editCountBefore = this.conversation.decision.editCount;
    const areAll = this.#pendingRestart !== null;
    const decision = this.conversation.decide(messages, this.newestMs || 0, trusted, { earlier, first, areAll });
    if (isFinal) return undefined;
    // With fewer edits kept, some results are no longer outdated: an earlier call may have got its result since.
    return this.#firstEdited(messages) ?? (decision.keptEdits < editCountBefore ? messages.length : undefined);
  }

  /** True if messages have no times: a result's age then counts from the first known request that sent it. @param {readonly any[]} [messages] */
  isDatedByRequests(messages = []) {
    const { arrivalTimes, options } = this.#context;
    return arrivalTimes !== false && options.unknownAge === undefined && !this.#boundaries.isTimedWith(messages);
  }

  /** Index of the first message whose content changed. A clone that a provider sees as the same is unchanged. @param {any[]} messages */
  #firstEdited(messages) {
    const { edited, table } = this.conversation;
    const isClone = (/** @type {number} */ index) =>
      messages[index] !== this.previous.messages[index] && isSentAlike(messages[index], this.previous.messages[index]);
    // A tool result that is no longer one leaves one row fewer.
    const messageOf = (/** @type {number} */ row) => table.messageOf(row) ?? messages.length - 1;
    const indices = edited.map(messageOf).filter((index) => !isClone(index));
    return indices.length === 0 ? undefined : Math.min(...indices);
  }

  /** At the first placeholder, switches to the user's language; false if it stays the same. @param {any[]} messages */
  #switchLanguage(messages) {
    const end = this.#isLanguageSettled ? undefined : this.#lengthAtFirstPlaceholder();
    if (end === undefined) return false;
    this.#isLanguageSettled = true;
    const { engine } = this.conversation;
    const languageOfUser = () => usersLanguage(messages.slice(0, end), engine.dialect);
    const otherEngine = engineInLanguage(engine, this.#context.options, languageOfUser);
    if (otherEngine === undefined) return false;
    this.conversation = new Conversation(otherEngine);
    return true;
  }

  /** Count of messages of the first request that needs a placeholder, a reference, or a result for an interrupted call. @returns {number | undefined} */
  #lengthAtFirstPlaceholder() {
    const { decision, table, transcript } = this.conversation;
    let first = this.removals.firstReference;
    for (const { request } of decision.edits.slice(0, decision.editCount)) first = Math.min(first, request);
    for (const call of decision.answeredCalls) {
      const index = table.messageOf(transcript.calls.rowOf(call));
      const request = this.requests.findIndex(({ end }) => end > index + 1);
      if (request >= 0) first = Math.min(first, request);
    }
    return this.requests[first]?.end;
  }
}

module.exports = { Projection };
