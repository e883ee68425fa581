// @ts-check
'use strict';

const { blocksIn } = require('../messages/breakpoints.js');
const native = require('../native.js');
const { isShorter, PromptWeights } = require('../tokens/prompt-weights.js');
const { encodeRequests, outboxFor, readOutcome } = require('./fold-wire.js');

/** Reports and side requests that are queued before they are synced with the core. */
const MOST_QUEUED = 64;

/**
 * @typedef {InstanceType<typeof import('../cleanup/conversation.js').Conversation>} Conversation
 * @typedef {import('./request-boundaries.js').Boundary} Boundary
 * @typedef {InstanceType<typeof import('../cleanup/references.js').References>} References
 * @typedef {import('../cleanup/references.js').Shortened} Shortened
 * @typedef {import('./sent-messages.js').Removed} Removed
 * @typedef {{ conversation: Conversation, messages: readonly any[], requests: readonly Boundary[], isSide: boolean }} Newest the conversation at
 *   the newest request
 * @typedef {Removed & { row: number, message: number }} Outdated `request`: number of the request since which it may be removed
 */

/**
 * Decides which request removes which outdated results: weighs messages and has the core fold the requests. Nothing is weighed while no
 * result is outdated. Without a prompt cache, weighing waits until figures are requested.
 */
class Removals {
  #protection;
  #isFree;
  #weights;
  #fold;
  /** Results that may be removed, keyed by row. @type {Map<number, Outdated>} */ #outdated = new Map();
  /** For each row, the number of the request since which its result is outdated. @type {Map<number, number>} */ #since =
    new Map();
  /** Entries of `#since` not yet passed to `#references`. @type {[row: number, since: number][]} */ #newlyOutdated =
    [];
  /** Outdated results that stay because a current result refers to their lines. @type {Outdated[]} */ #referenced = [];
  /** @type {References | null} */ #references = null;
  /** Newly outdated results, until `take` reads them. @type {Outdated[]} */ #fresh = [];
  /** Results newly shortened by references, until `take` reads them. @type {Shortened[]} */ #short = [];
  /** Counts of the decision's edits and groups that were read. */ #read = { edits: 0, groups: 0 };
  /** Count of requests that the core has folded. */ #folded = 0;
  /** @type {(() => void)[]} */ #queued = [];
  /** The application's answers about protected results. @type {import('../cleanup/protection.js').Asked} */ #protectionAnswers =
    new Map();
  /** Messages that can't be copied. @type {WeakSet<object>} */ #uncopied = new WeakSet();
  /** @type {Newest | null} */ #newest = null;
  #cachedTokens = 0;

  /**
   * @param {Record<string, unknown>} options the view's options as plain data
   * @param {InstanceType<typeof import('../cleanup/protection.js').Protection>} protection
   * @param {InstanceType<typeof import('../cleanup/mending.js').Mending>} mending
   */
  constructor(options, protection, mending) {
    this.#protection = protection;
    this.#isFree = options.price === 'none';
    this.#weights = new PromptWeights(mending);
    this.#fold = new native.PromptFold(options);
  }

  /**
   * Starts over: all requests are decided again.
   * @param {References | null} references null if results are never shortened
   * @param {number} messages count of unchanged messages at the start
   * @param {number} rows count of their rows
   */
  restart(references, messages, rows) {
    this.#references = references;
    this.#outdated = new Map();
    this.#since = new Map();
    [this.#referenced, this.#fresh, this.#short, this.#newlyOutdated] = [[], [], [], []];
    this.#read = { edits: 0, groups: 0 };
    this.#weights.truncate(messages, rows);
  }

  /**
   * Has the core fold from the first request again.
   * @param {import('../../binding.js').PromptHead} head
   * @param {{ requests: number, rows: number }} kept counts of unchanged requests and rows at the start
   */
  begin(head, { requests, rows }) {
    for (const row of this.#protectionAnswers.keys()) if (row >= rows) this.#protectionAnswers.delete(row);
    this.#fold.begin(head, Math.min(requests, this.#folded));
    this.#folded = 0;
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
   */
  read(conversation, requests, first) {
    this.#readEdits(conversation);
    if (this.#references === null) return;
    const staysWhole = (/** @type {number} */ row) => this.#staysWhole(conversation, row);
    this.#short.push(
      ...this.#references.take({ conversation, requests, first, outdated: this.#newlyOutdated.splice(0), staysWhole }),
    );
  }

  /** Number of the first request with a reference; infinite if there is none. */
  get firstReference() {
    return this.#references?.firstRequest ?? Number.POSITIVE_INFINITY;
  }

  /**
   * Decides about the results that were read.
   * @param {Conversation} conversation
   * @param {readonly any[]} messages
   * @param {readonly Boundary[]} requests all requests
   * @param {boolean} isSide the newest request removes nothing
   * @returns {{ removed: Outdated[], shortened: Shortened[] }} `removed`: results to remove; `request` is the one that removes them
   */
  take(conversation, messages, requests, isSide) {
    this.#newest = { conversation, messages, requests, isSide };
    const fresh = this.#removable();
    const shortened = this.#short.splice(0);
    if (this.#isFree) return { removed: this.#withoutCache(conversation, fresh), shortened };
    const rows = fresh.map(({ row }) => row);
    const texts = fresh.map(({ text }) => text);
    // Weighing the messages also weighs their results.
    if (fresh.length + shortened.length > 0) this.#weights.weigh(conversation, messages);
    this.#weighShortened(conversation, shortened);
    this.#weights.savings(conversation, rows, texts).forEach((saved, at) => {
      const outdated = /** @type {Outdated} */ (fresh[at]);
      if (saved > 0) outdated.saved = saved;
      else this.#outdated.delete(outdated.row);
    });
    const removed = this.#outdated.size + shortened.length === 0 ? [] : this.#advance();
    const isShortened = (/** @type {Shortened} */ { row }) => this.#references?.shortened.has(row) === true;
    return { removed, shortened: shortened.filter(isShortened) };
  }

  /** Outdated results, including removed ones, keyed by row. @returns {ReadonlyMap<number, Outdated>} */
  get outdated() {
    return this.#outdated;
  }

  /** Tokens of the newest request that were cache hits. */
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

  /** @param {number} tokens @param {number} cached */
  addSummary(tokens, cached) {
    this.#fold.addSummary(tokens, cached);
  }

  /** What the next request would do. @param {number | null} elapsedMs since the newest request */
  plan(elapsedMs) {
    return this.settle().plan(elapsedMs);
  }

  /** Lengths of the prefixes that get a cache breakpoint. @returns {number[]} */
  marks() {
    return this.settle().marks();
  }

  /** @param {number} first number of the first request to count */
  costs(first) {
    return this.settle().costs(first);
  }

  /** @returns {Record<string, any>} */
  ledger() {
    return JSON.parse(this.settle().ledger());
  }

  /** @param {() => void} sync runs with the core before its figures are read */
  #queue(sync) {
    this.#queued.push(sync);
    if (this.#queued.length > MOST_QUEUED) this.settle();
  }

  /** Folds all requests and syncs queued changes with the core. */
  settle() {
    const newest = this.#newest;
    if (newest !== null && this.#folded < newest.requests.length) this.#advance();
    for (const sync of this.#queued.splice(0)) sync();
    return this.#fold;
  }

  /** Reads newly outdated results from the decision. @param {Conversation} conversation */
  #readEdits(conversation) {
    const { decision, layout } = conversation;
    for (; this.#read.edits < decision.editCount; this.#read.edits++) {
      const edit = this.#read.edits;
      const row = decision.rowOf(edit);
      const end = this.#read.groups + decision.groupCountOf(edit);
      const groups = decision.groups.slice(this.#read.groups, end);
      this.#read.groups = end;
      const message = layout.ownerOf(row);
      if (this.#since.has(row) || this.#staysWhole(conversation, row)) continue;
      const [rule, request] = [decision.ruleOf(edit), decision.requestOf(edit)];
      this.#since.set(row, request);
      if (this.#references !== null) this.#newlyOutdated.push([row, request]);
      this.#fresh.push({ row, message, rule, text: decision.texts[edit] ?? '', groups, saved: 0, request });
    }
  }

  /** True if the application protects the result or its message can't be copied. @param {Conversation} conversation @param {number} row */
  #staysWhole(conversation, row) {
    const { layout } = conversation;
    const isUncopied = this.#uncopied.has(layout.objects[layout.ownerOf(row)] ?? this);
    return isUncopied || this.#protection.holds(conversation, row, this.#protectionAnswers);
  }

  /** Outdated results that have become removable. @returns {Outdated[]} */
  #removable() {
    // Such a result can only become removable when another result becomes outdated.
    if (this.#fresh.length === 0) return [];
    const candidates = [...this.#referenced, ...this.#fresh.splice(0)];
    this.#referenced = [];
    return candidates.filter((outdated) => {
      const { row } = outdated;
      const request = this.#references?.removableSince(row) ?? outdated.request;
      if (request === Number.POSITIVE_INFINITY) {
        this.#referenced.push(outdated);
        return false;
      }
      outdated.request = request;
      this.#outdated.set(row, outdated);
      return true;
    });
  }

  /** Counts the tokens that references save. @param {Conversation} conversation @param {readonly Shortened[]} shortened */
  #weighShortened(conversation, shortened) {
    const unknown = shortened.filter(({ saved }) => saved === null);
    if (unknown.length === 0) return;
    const rows = unknown.map(({ row }) => row);
    const texts = unknown.map(({ text }) => text);
    this.#weights.savings(conversation, rows, texts).forEach((saved, at) => {
      const one = /** @type {Shortened} */ (unknown[at]);
      one.saved = Math.max(0, saved);
      this.#weights.shorten(one.row, one.saved);
    });
  }

  /** Without a prompt cache: results with a shorter placeholder are removed. @param {Conversation} conversation @param {readonly Outdated[]} fresh */
  #withoutCache(conversation, fresh) {
    const removed = [];
    for (const outdated of fresh) {
      if (!isShorter(conversation, outdated.row, outdated.text)) this.#outdated.delete(outdated.row);
      else removed.push(outdated);
    }
    return removed;
  }

  /** Folds the requests that were not folded yet. @returns {Outdated[]} */
  #advance() {
    const { requests } = /** @type {Newest} */ (this.#newest);
    const first = this.#folded;
    const shortened = this.#references?.shortened.size ?? 0;
    const outbox = outboxFor(this.#outdated.size, shortened);
    this.#fold.advance(this.#encode(first), outbox);
    this.#folded = requests.length;
    const { removed, whole, cachedTokens } = readOutcome(outbox);
    this.#cachedTokens = cachedTokens;
    this.#sendWhole(whole);
    return removed.flatMap(({ row, request }) => {
      const outdated = this.#outdated.get(row);
      return outdated === undefined ? [] : [{ ...outdated, request: first + request }];
    });
  }

  /** Sends the results in these messages without references. @param {ReadonlySet<number>} messages */
  #sendWhole(messages) {
    if (messages.size === 0) return;
    for (const shortened of [...(this.#references?.shortened.values() ?? [])]) {
      if (!messages.has(shortened.message)) continue;
      this.#references?.forget(shortened);
      this.#weights.shorten(shortened.row, 0);
    }
  }

  /** Encodes the requests from number `first` on for the core. @param {number} first */
  #encode(first) {
    const { conversation, messages, requests, isSide } = /** @type {Newest} */ (this.#newest);
    this.#weights.weigh(conversation, messages);
    const due = [...this.#outdated.values()].filter(({ request }) => request >= first);
    if (this.#isFree) this.#weigh(conversation, due);
    const saved = this.#savedByMessage(conversation, requests[first - 1]?.end ?? 0);
    return encodeRequests(requests, { first, isSide, due }, (place) => [
      this.#weights.of(conversation, place),
      blocksIn(messages[place]),
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

  /** @param {Conversation} conversation @param {readonly Outdated[]} due */
  #weigh(conversation, due) {
    const rows = due.map(({ row }) => row);
    const texts = due.map(({ text }) => text);
    this.#weights.savings(conversation, rows, texts).forEach((saved, at) => {
      // The placeholder is shorter in bytes, as decided without a tokenizer vocabulary.
      /** @type {Outdated} */ (due[at]).saved = Math.max(1, saved);
    });
  }
}

module.exports = { Removals };
