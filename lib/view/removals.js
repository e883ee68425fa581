// @ts-check
'use strict';

const { References } = require('../cleanup/references.js');
const { blockCountOf } = require('../messages/breakpoints.js');
const native = require('../native.js');
const { isShorter, PromptWeights } = require('../tokens/prompt-weights.js');
const { encodeRequests, outboxFor, readOutcome } = require('./fold-wire.js');
const { refersToRepeated } = require('./options.js');

/** Reports and side requests that are queued before they are synced with the core. */
const MAX_QUEUED = 64;

/**
 * @typedef {InstanceType<typeof import('../cleanup/conversation.js').Conversation>} Conversation
 * @typedef {import('./request-boundaries.js').Boundary} Boundary
 * @typedef {import('../cleanup/references.js').Shortened} Shortened
 * @typedef {import('./sent-messages.js').Removed} Removed
 * @typedef {Removed & { row: number, message: number }} Outdated `request`: number of the request since which it may be removed
 *
 * The conversation at the newest request. `isSide`: the newest request removes nothing.
 * @typedef {{ conversation: Conversation, messages: readonly any[], requests: readonly Boundary[], isSide: boolean }} Newest
 *
 * Changes by new requests: newly outdated results, and results that references shorten.
 * @typedef {{ outdated: Outdated[], shortened: Shortened[] }} NewResults
 */

/**
 * Decides which request removes which outdated results: weighs messages and has the core fold the requests. Nothing is weighed while no
 * result is outdated. Without a prompt cache, weighing waits until figures are requested.
 */
class Removals {
  #protection;
  #isFree;
  #refersToRepeated;
  #weights;
  #fold;
  /** Rows whose result is outdated. @type {Set<number>} */ #outdatedRows = new Set();
  /** Outdated results that stay because a current result refers to their lines. @type {Outdated[]} */ #referenced = [];
  /** Null if results are never shortened. @type {InstanceType<typeof References> | null} */ #references = null;
  /** Counts of the decision's edits and groups that were read. */ #read = { edits: 0, groups: 0 };
  /** Count of requests that the core has folded. */ #foldedCount = 0;
  /** Calls of the core that are due before its figures are read. @type {(() => void)[]} */ #queued = [];
  /** The application's answers about protected results. @type {import('../cleanup/protection.js').Answers} */ #protectionAnswers =
    new Map();
  /** Messages that can't be copied, so their results stay. @type {WeakSet<object>} */ #uncopied = new WeakSet();
  /** @type {Newest | null} */ #newest = null;
  /** Tokens of the newest request that were cache hits. */ #cachedTokens = 0;

  /**
   * @param {Record<string, unknown>} options the view's options as plain data
   * @param {InstanceType<typeof import('../cleanup/protection.js').Protection>} protection
   * @param {InstanceType<typeof import('../cleanup/mending.js').Mending>} mending
   */
  constructor(options, protection, mending) {
    this.#protection = protection;
    this.#isFree = options.price === 'none';
    this.#refersToRepeated = refersToRepeated(options);
    /** Results that may be removed, including removed ones, keyed by row. @type {Map<number, Outdated>} */
    this.outdated = new Map();
    this.#weights = new PromptWeights(mending);
    this.#fold = new native.PromptFold(options);
  }

  /** Starts over: all requests are decided again. @param {Conversation} conversation @param {number} unchanged count of messages at the start */
  restart({ engine, layout }, unchanged) {
    this.#references = this.#refersToRepeated ? new References(engine) : null;
    this.outdated = new Map();
    this.#outdatedRows = new Set();
    this.#referenced = [];
    this.#read = { edits: 0, groups: 0 };
    this.#weights.truncate(unchanged, layout.firstRowOf(unchanged));
  }

  /**
   * Has the core fold from the first request again.
   * @param {import('../../binding.js').PromptHead} head
   * @param {{ requests: number, messages: number }} unchanged counts at the start
   * @param {Conversation} conversation
   */
  begin(head, { requests, messages }, { layout }) {
    const rows = layout.firstRowOf(messages);
    for (const row of this.#protectionAnswers.keys()) if (row >= rows) this.#protectionAnswers.delete(row);
    this.#fold.begin(head, Math.min(requests, this.#foldedCount));
    this.#foldedCount = 0;
    this.#cachedTokens = 0;
  }

  /** @param {object} message a message that can't be copied: its results are no longer removed */
  leaveOut(message) {
    this.#uncopied.add(message);
  }

  /**
   * Reads which results the newest request makes outdated, and which it shortens.
   * @param {Conversation} conversation
   * @param {readonly Boundary[]} requests all requests
   * @param {number} first number of the first new request
   * @returns {NewResults}
   */
  read(conversation, requests, first) {
    const outdated = this.#readOutdated(conversation);
    const staysWhole = (/** @type {number} */ row) => this.#staysWhole(conversation, row);
    const shortened = this.#references?.readRequests({ conversation, requests, first, outdated, staysWhole }) ?? [];
    return { outdated, shortened };
  }

  /** Number of the first request with a reference; infinite if there is none. */
  get firstReference() {
    return this.#references?.firstRequest ?? Number.POSITIVE_INFINITY;
  }

  /**
   * Decides about the results that were read.
   * @param {NewResults} results
   * @param {Newest} newest
   * @returns {{ removed: Outdated[], shortened: Shortened[] }} `removed`: results to remove; `request` is the one that removes them
   */
  decide({ outdated, shortened }, newest) {
    this.#newest = newest;
    const { conversation, messages } = newest;
    const removable = this.#removable(outdated);
    if (this.#isFree) {
      for (const { row, text } of removable) if (!isShorter(conversation, row, text)) this.outdated.delete(row);
      return { removed: removable.filter(({ row }) => this.outdated.has(row)), shortened };
    }
    // Weighing the messages also weighs their results.
    if (removable.length + shortened.length > 0) this.#weights.weigh(conversation, messages);
    this.#weighShortened(conversation, shortened);
    this.#weights.savings(conversation, removable).forEach((saved, at) => {
      const one = /** @type {Outdated} */ (removable[at]);
      if (saved > 0) one.saved = saved;
      else this.outdated.delete(one.row);
    });
    const removed = this.outdated.size + shortened.length === 0 ? [] : this.#advance();
    return { removed, shortened: shortened.filter(({ row }) => this.#references?.shortened.has(row)) };
  }

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
    return Array.from(messages, (_, index) => this.#weights.of(conversation, index));
  }

  /** Records that the newest request was sent with this number. @param {number} number @param {boolean} isAgain true if it was sent again */
  recordRequest(number, isAgain) {
    const place = (this.#newest?.requests.length ?? 0) - 1;
    this.#queue(() => (isAgain ? this.#fold.askAgain(number) : this.#fold.ask(number, place)));
  }

  /** Records a side request. @param {number} number @param {Removals} side */
  recordSideRequest(number, side) {
    this.#queue(() => this.#fold.askOther(number, side.settle()));
  }

  /** @param {number | null} number of the request, null for the newest @param {(number | null)[]} figures @returns {boolean} true if they have the prompt's length */
  observe(number, figures) {
    if (!native.saysPromptTokens(figures)) return false;
    this.#queue(() => this.#fold.observe(number, figures));
    return true;
  }

  /** @param {() => void} call */
  #queue(call) {
    this.#queued.push(call);
    if (this.#queued.length > MAX_QUEUED) this.settle();
  }

  /** Folds all requests and makes the queued calls. @returns {InstanceType<typeof native.PromptFold>} for its figures */
  settle() {
    const newest = this.#newest;
    if (newest !== null && this.#foldedCount < newest.requests.length) this.#advance();
    for (const call of this.#queued.splice(0)) call();
    return this.#fold;
  }

  /** Reads newly outdated results from the decision. @param {Conversation} conversation */
  #readOutdated(conversation) {
    const { decision, layout } = conversation;
    /** @type {Outdated[]} */ const outdated = [];
    for (; this.#read.edits < decision.editCount; this.#read.edits++) {
      const edit = this.#read.edits;
      const row = decision.rowOf(edit);
      const end = this.#read.groups + decision.groupCountOf(edit);
      const groups = decision.groups.slice(this.#read.groups, end);
      this.#read.groups = end;
      const message = layout.messageOf(row);
      if (this.#outdatedRows.has(row) || this.#staysWhole(conversation, row)) continue;
      this.#outdatedRows.add(row);
      const [rule, request] = [decision.ruleOf(edit), decision.requestOf(edit)];
      outdated.push({ row, message, rule, text: decision.texts[edit] ?? '', groups, saved: 0, request });
    }
    return outdated;
  }

  /** True if the application protects the result or its message can't be copied. @param {Conversation} conversation @param {number} row */
  #staysWhole(conversation, row) {
    const { layout } = conversation;
    const isUncopied = this.#uncopied.has(layout.objects[layout.messageOf(row)] ?? this);
    return isUncopied || this.#protection.covers(conversation, row, this.#protectionAnswers);
  }

  /** Outdated results that have become removable. @param {readonly Outdated[]} newlyOutdated @returns {Outdated[]} */
  #removable(newlyOutdated) {
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

  /** Counts the tokens that references save. @param {Conversation} conversation @param {readonly Shortened[]} shortened */
  #weighShortened(conversation, shortened) {
    const unknown = shortened.filter(({ saved }) => saved === null);
    this.#weights.savings(conversation, unknown).forEach((saved, at) => {
      /** @type {Shortened} */ (unknown[at]).saved = Math.max(0, saved);
    });
  }

  /** Tokens of the result that references save. @param {number} row */
  savedByReferencesIn(row) {
    return this.#references?.shortened.get(row)?.saved ?? 0;
  }

  /** Folds the requests that were not folded yet. @returns {Outdated[]} */
  #advance() {
    const { requests } = /** @type {Newest} */ (this.#newest);
    const first = this.#foldedCount;
    const outbox = outboxFor(this.outdated.size, this.#references?.shortened.size ?? 0);
    this.#fold.advance(this.#encode(first), outbox);
    this.#foldedCount = requests.length;
    const { removed, whole, cachedTokens } = readOutcome(outbox);
    this.#cachedTokens = cachedTokens;
    this.#references?.sendWhole(whole);
    return removed.flatMap(({ row, request }) => {
      const outdated = this.outdated.get(row);
      return outdated === undefined ? [] : [{ ...outdated, request: first + request }];
    });
  }

  /** Encodes the requests from number `first` on for the core. @param {number} first */
  #encode(first) {
    const { conversation, messages, requests, isSide } = /** @type {Newest} */ (this.#newest);
    this.#weights.weigh(conversation, messages);
    const due = [...this.outdated.values()].filter(({ request }) => request >= first);
    const saved = this.#savedByMessage(conversation, requests[first - 1]?.end ?? 0);
    if (this.#isFree) {
      this.#weights.savings(conversation, due).forEach((tokens, at) => {
        const one = /** @type {Outdated} */ (due[at]);
        // The placeholder is shorter in bytes, as decided without a tokenizer vocabulary.
        one.saved = Math.max(1 + this.savedByReferencesIn(one.row), tokens);
      });
    }
    const withReferences = due.map((one) => ({ ...one, savedByReferences: this.savedByReferencesIn(one.row) }));
    return encodeRequests(requests, { first, isSide, due: withReferences }, (place) => [
      this.#weights.of(conversation, place),
      blockCountOf(messages[place]),
      saved.get(place) ?? 0,
    ]);
  }

  /** For each message from `start` on, the tokens that references save. @param {Conversation} conversation @param {number} start */
  #savedByMessage(conversation, start) {
    /** @type {Map<number, number>} */ const saved = new Map();
    const all = [...(this.#references?.shortened.values() ?? [])].filter(({ message }) => message >= start);
    this.#weighShortened(conversation, all);
    for (const one of all) saved.set(one.message, (saved.get(one.message) ?? 0) + (one.saved ?? 0));
    return saved;
  }
}

module.exports = { Removals };
