// @ts-check
'use strict';

const { References } = require('../cleanup/references.js');
const { blockCountOf } = require('../messages/breakpoints.js');
const native = require('../native.js');
const { isShorter, PromptWeights } = require('../tokens/prompt-weights.js');
const { encodeRequests, outboxFor, readOutcome } = require('./fold-encoding.js');

/**
 * @typedef {InstanceType<typeof import('../cleanup/conversation.js').Conversation>} Conversation
 * @typedef {import('./request-boundaries.js').Boundary} Boundary
 * @typedef {import('../cleanup/references.js').Shortened} Shortened
 * @typedef {import('../cleanup/conversation.js').Edit} Edit
 * @typedef {Edit & { message: number, saved: number }} Outdated `request`: number of the request since which the result may be removed
 *
 * The conversation at its newest request. `isSide`: this is a side request, which removes nothing.
 * @typedef {{ conversation: Conversation, messages: readonly any[], requests: readonly Boundary[], isSide: boolean }} Newest
 * @typedef {{ outdated: Outdated[], shortened: Shortened[] }} NewResults newly outdated results, and results that references newly shorten
 */

/**
 * Decides which request removes which outdated results: weighs the messages (counts their tokens), and has the core fold the requests.
 * Without an outdated result, or without a prompt cache, messages are weighed only for figures.
 */
class Removals {
  #protection;
  /** True if the provider has no prompt cache: a removal costs nothing. */ #isFree;
  #refersToRepeated;
  #weights;
  #fold;
  /** Rows of outdated results, also of those that stay. @type {Set<number>} */ #outdatedRows = new Set();
  /** Outdated results that stay because a current result refers to their lines. @type {Outdated[]} */ #referenced = [];
  /** Null if the view uses no references. @type {InstanceType<typeof References> | null} */ #references = null;
  /** How many of the decision's edits were read. */ #readCount = 0;
  /** Count of requests that the core has folded. */ #foldedCount = 0;
  /** Calls of the core that are made before its figures are read. @type {(() => void)[]} */ #queued = [];
  /** @type {import('../cleanup/protection.js').Answers} */ #protectionAnswers = new Map();
  /** @type {Newest | null} */ #newest = null;
  #cachedTokens = 0;

  /** @param {import('./projection.js').ViewContext} context @param {InstanceType<typeof import('../cleanup/orphan-fixes.js').OrphanFixes>} orphanFixes */
  constructor({ engine, options, protection }, orphanFixes) {
    this.#protection = protection;
    this.#isFree = options.price === 'none';
    this.#refersToRepeated = engine.spec.options?.repeated === true;
    /** Results that may be or are removed, keyed by row. @type {Map<number, Outdated>} */ this.outdated = new Map();
    /** Messages that can't be copied, so their results stay. @type {WeakSet<object>} */ this.uncopied = new WeakSet();
    this.#weights = new PromptWeights(orphanFixes);
    this.#fold = new native.PromptFold(options);
  }

  /** Starts over: all requests are decided again. @param {Conversation} conversation @param {number} unchangedCount of messages at the start */
  restart({ engine, table }, unchangedCount) {
    this.#references = this.#refersToRepeated ? new References(engine) : null;
    this.outdated = new Map();
    this.#outdatedRows = new Set();
    this.#referenced = [];
    this.#readCount = 0;
    this.#weights.truncate(unchangedCount, table.firstRowOf(unchangedCount));
  }

  /** Has the core fold from the first request again. @param {import('../../binding.js').PromptHead} head @param {number} unchangedCount of requests at the start */
  refold(head, unchangedCount) {
    this.#fold.begin(head, Math.min(unchangedCount, this.#foldedCount));
    this.#foldedCount = 0;
    this.#cachedTokens = 0;
  }

  /** Forgets the application's answers about the results in `firstRow` and later rows, whose messages changed. @param {number} firstRow */
  forgetProtection(firstRow) {
    for (const row of this.#protectionAnswers.keys()) if (row >= firstRow) this.#protectionAnswers.delete(row);
  }

  /** The results of requests since number `first`. @param {Conversation} conversation @param {readonly Boundary[]} requests all @param {number} first */
  readNew(conversation, requests, first) {
    const outdated = this.#readOutdated(conversation);
    const staysWhole = (/** @type {number} */ row) => this.#isKept(conversation, row);
    const shortened = this.#references?.readRequests({ conversation, requests, first, outdated, staysWhole }) ?? [];
    return /** @type {NewResults} */ ({ outdated, shortened });
  }

  /** Number of the first request with a reference; infinite if there is none. */
  get firstReference() {
    return this.#references?.firstRequest ?? Number.POSITIVE_INFINITY;
  }

  /** Which of these results are removed or shortened. The `request` of a removed one is that which removes it. @param {NewResults} results @param {Newest} newest */
  decide({ outdated, shortened }, newest) {
    this.#newest = newest;
    const { conversation, messages } = newest;
    const removable = this.#newlyRemovable(outdated);
    if (this.#isFree) {
      for (const { row, text } of removable) if (!isShorter(conversation, row, text)) this.outdated.delete(row);
      return { removed: removable.filter(({ row }) => this.outdated.has(row)), shortened };
    }
    // Weighing the messages also weighs their results.
    if (removable.length + shortened.length > 0) this.#weights.weigh(conversation, messages);
    this.#weighSavings(conversation, shortened.filter(isUncounted));
    this.#weighSavings(conversation, removable);
    for (const { row, saved } of removable) if (saved === 0) this.outdated.delete(row);
    const removed = this.outdated.size + shortened.length === 0 ? [] : this.#foldNew();
    return { removed, shortened: shortened.filter(({ row }) => this.#references?.shortened.has(row)) };
  }

  /** Tokens of the newest request that are cache hits. */
  get cachedTokens() {
    this.settle();
    return this.#cachedTokens;
  }

  /** For each message, the tokens that references save. @returns {ReadonlyMap<number, number>} */
  savedByReferences() {
    this.settle();
    return this.#newest === null ? new Map() : this.#savedByMessage(this.#newest.conversation, 0);
  }

  /** Tokens of each stored message. @returns {number[]} */
  tokensOfMessages() {
    if (this.#newest === null) return [];
    const { conversation, messages } = this.#newest;
    this.#weights.weigh(conversation, messages);
    return Array.from(messages, (_, index) => this.#weights.tokensOf(conversation, index));
  }

  /** Records that the newest request was sent. @param {number} sentNumber in the view's count @param {boolean} isAgain it was sent before */
  recordRequest(sentNumber, isAgain) {
    const requestNumber = (this.#newest?.requests.length ?? 0) - 1;
    this.#queue(() => (isAgain ? this.#fold.askAgain(sentNumber) : this.#fold.ask(sentNumber, requestNumber)));
  }

  /** Records that a side request was sent. @param {number} sentNumber in the view's count @param {Removals} side those of the side request */
  recordSideRequest(sentNumber, side) {
    this.#queue(() => this.#fold.askOther(sentNumber, side.settle()));
  }

  /** False for a report without the prompt's length. @param {number | null} sentNumber null for the newest request @param {(number | null)[]} figures */
  observe(sentNumber, figures) {
    if (!native.saysPromptTokens(figures)) return false;
    this.#queue(() => this.#fold.observe(sentNumber, figures));
    return true;
  }

  /** Delays a call of the core, because most figures are never read. @param {() => void} call */
  #queue(call) {
    this.#queued.push(call);
    // Memory stays bounded if no figure is ever read.
    if (this.#queued.length > 64) this.settle();
  }

  /** Syncs the core with all requests and queued calls. @returns {InstanceType<typeof native.PromptFold>} with current figures */
  settle() {
    const newest = this.#newest;
    if (newest !== null && this.#foldedCount < newest.requests.length) this.#foldNew();
    for (const call of this.#queued.splice(0)) call();
    return this.#fold;
  }

  /** Reads newly outdated results from the decision. @param {Conversation} conversation */
  #readOutdated(conversation) {
    const { decision, table } = conversation;
    /** @type {Outdated[]} */ const outdated = [];
    for (; this.#readCount < decision.editCount; this.#readCount++) {
      const { row, rule, request, groups, text } = /** @type {Edit} */ (decision.edits[this.#readCount]);
      if (this.#outdatedRows.has(row) || this.#isKept(conversation, row)) continue;
      this.#outdatedRows.add(row);
      // Not by a spread: with further fields it takes 1.5 µs for each result, 10 % of a first sight.
      outdated.push({ row, rule, request, groups, text, message: table.messageOf(row), saved: 0 });
    }
    return outdated;
  }

  /** True if a result stays, because the application protects it or its message can't be copied. @param {Conversation} conversation @param {number} row */
  #isKept(conversation, row) {
    const { table } = conversation;
    const isUncopied = this.uncopied.has(table.objects[table.messageOf(row)] ?? this);
    return isUncopied || this.#protection.covers(conversation, row, this.#protectionAnswers);
  }

  /** Outdated results to which no current result refers any more. @param {readonly Outdated[]} newlyOutdated @returns {Outdated[]} */
  #newlyRemovable(newlyOutdated) {
    // A referenced result can only become removable when another result becomes outdated.
    if (newlyOutdated.length === 0) return [];
    const candidates = [...this.#referenced, ...newlyOutdated];
    this.#referenced = [];
    return candidates.filter((outdated) => {
      const { row } = outdated;
      const request = this.#references?.removableSince(row) ?? outdated.request;
      if (request === Number.POSITIVE_INFINITY) {
        this.#referenced.push(outdated);
        return false;
      }
      outdated.request = request;
      this.outdated.set(row, outdated);
      return true;
    });
  }

  /** Sets `saved`, which is never negative. @param {Conversation} conversation @param {(Outdated | Shortened)[]} results */
  #weighSavings(conversation, results) {
    const savings = this.#weights.savings(conversation, results);
    for (const [index, result] of results.entries()) result.saved = Math.max(0, savings[index] ?? 0);
  }

  /** Tokens that references save in a result. @param {number} row */
  savedByReferencesIn(row) {
    return this.#references?.shortened.get(row)?.saved ?? 0;
  }

  /** Folds the requests that were not folded yet. @returns {Outdated[]} results to remove, as `decide` returns them */
  #foldNew() {
    const { requests } = /** @type {Newest} */ (this.#newest);
    const first = this.#foldedCount;
    const outbox = outboxFor(this.outdated.size, this.#references?.shortened.size ?? 0);
    this.#fold.advance(this.#encode(first), outbox);
    this.#foldedCount = requests.length;
    const { removed, withoutReferences, cachedTokens } = readOutcome(outbox);
    this.#cachedTokens = cachedTokens;
    this.#references?.sendWhole(withoutReferences);
    return removed.flatMap(({ row, encodedRequest }) => {
      const outdated = this.outdated.get(row);
      return outdated === undefined ? [] : [{ ...outdated, request: first + encodedRequest }];
    });
  }

  /** Encodes the requests from number `first` on for the core. @param {number} first */
  #encode(first) {
    const { conversation, messages, requests, isSide } = /** @type {Newest} */ (this.#newest);
    this.#weights.weigh(conversation, messages);
    const removable = [...this.outdated.values()].filter(({ request }) => request >= first);
    const savedByReferences = this.#savedByMessage(conversation, requests[first - 1]?.end ?? 0);
    if (this.#isFree) this.#weighSavings(conversation, removable);
    const outdated = removable.map((result) => {
      const savedByReferences = this.savedByReferencesIn(result.row);
      // `decide` compared lengths in bytes, without a tokenizer vocabulary: the placeholder counts as shorter in tokens too.
      if (this.#isFree) result.saved = Math.max(1 + savedByReferences, result.saved);
      const { row, message, saved, request } = result;
      return { row, message, saved, request, savedByReferences };
    });
    return encodeRequests(requests, { first, isSide, outdated }, (message) => [
      this.#weights.tokensOf(conversation, message),
      blockCountOf(messages[message]),
      savedByReferences.get(message) ?? 0,
    ]);
  }

  /** For each message from `start` on, the tokens that references save. @param {Conversation} conversation @param {number} start */
  #savedByMessage(conversation, start) {
    /** @type {Map<number, number>} */ const savedByMessage = new Map();
    const shortened = [...(this.#references?.shortened.values() ?? [])].filter(({ message }) => message >= start);
    this.#weighSavings(conversation, shortened.filter(isUncounted));
    for (const { message, saved } of shortened)
      savedByMessage.set(message, (savedByMessage.get(message) ?? 0) + (saved ?? 0));
    return savedByMessage;
  }
}

/** True until `saved` is set. @param {Shortened} shortened */
const isUncounted = ({ saved }) => saved === null;

module.exports = { Removals };
